"""Word lists of the extraction rules: classes of English words that the parser does not label."""

from __future__ import annotations

from hopline.text.values import MONTH_NUMBERS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VAGUE_HEADS = _words(
    """company companies film films movie team teams club song album book novel game series show season year years
    time times day days month months week weeks century decade one ones part parts number numbers lot lots way ways
    thing things people person man men woman women group groups member members name names area areas place places
    city town village state country services end start beginning side type types kind kinds example examples case cases
    fact result results rest majority variety range amount total first second third other others something anything
    nothing everything someone anyone everyone half addition order use form level work works role career life
    version versions event events point points set hand top bottom same following list paper section table figure
    page chapter document report study data information author authors father mother son daughter wife husband
    brother sister parents children family character characters player players story plot title"""
)
"""Heads that name nothing by themselves: "the company", "its members"."""

VAGUE_WORDS = _words(
    """first second third fourth fifth last next other same own new old many several such following few various
    different certain more most less least very main major only early late previous former latter current recent
    good great large small big little long short high low whole entire full similar particular specific one two
    three four five six seven eight nine ten another this that these those all both each every some any no
    respective said everything anything something nothing everyone anyone someone everybody anybody somebody nobody
    none"""
)
"""Modifiers that leave a vague head vague: "the first film"."""

DEFINITE = _words(
    """film movie album song single book novel play opera series show programme program episode band group company firm
    corporation organization organisation team club city town village district county province region river lake
    island building church school university college station airport game magazine newspaper journal award battle war
    election tournament event agency institute museum bridge ship aircraft language species genus document report
    agreement act law policy system project foundation party"""
)
"""Nouns that can refer back to a named entity in "the …"."""

HEADINGS = _words(
    """introduction results result discussion conclusion conclusions abstract summary overview background references
    methods method materials acknowledgements acknowledgments appendix contents table figure notes bibliography
    history description related work future evaluation experiments analysis data preface index and of the"""
)
"""Words of headings that structure a document and do not name its subject."""

HONORIFICS = _words(
    """sir dame lord lady saint st blessed king queen prince princess emperor empress count countess duke duchess baron
    baroness archduke archduchess infante infanta pope cardinal bishop archbishop father mother sister brother reverend
    rev dr prof professor mr mrs ms miss president general colonel major captain lieutenant admiral sergeant judge
    justice senator governor sheikh sultan hon the a an rear vice brigadier commander marshal air wing squadron group
    chief commodore rabbi sheikha professor coach capt gen col maj sgt sub second first"""
)
"""Titles before a name that are not part of it."""

INTRODUCING = _words(
    """in on at from during after before by for with within between since until as of to under over among along while
    when where although though because according despite following like unlike through throughout upon per both"""
)
"""First words of a phrase that precedes the subject."""

COMPANY_FORMS = _words(
    """limited ltd inc incorporated corporation corp company co group plc llc gmbh ag sa nv holdings lp llp pty"""
)
"""Legal forms at the end of company names that can be omitted."""

PLACES = _words(
    """city town village municipality community neighborhood neighbourhood township place borough hamlet suburb district
    county seat commune parish settlement island park river lake mountain building house bridge church school street
    road station area"""
)
"""Kinds of places that are disambiguated by their region."""

JOINERS = _words("of the de la le du des von van der den di da del della al el bin ibn y e & - – 's for")
"""Function words that occur within names."""

PAST = {
    "written": "wrote", "given": "gave", "taken": "took", "drawn": "drew", "begun": "began", "chosen": "chose",
    "driven": "drove", "shown": "showed", "sung": "sang", "done": "did", "seen": "saw", "spoken": "spoke",
    "stolen": "stole", "beaten": "beat", "known": "knew", "grown": "grew", "flown": "flew", "thrown": "threw",
    "overseen": "oversaw", "undertaken": "undertook", "rewritten": "rewrote", "overthrown": "overthrew", "worn": "wore",
    "borne": "bore", "broken": "broke", "frozen": "froze", "hidden": "hid", "ridden": "rode", "forgotten": "forgot",
    "run": "ran", "overrun": "overran", "become": "became", "overcome": "overcame", "rung": "rang", "sworn": "swore",
}  # fmt: skip
"""Past tense of participles that differ from it."""

MONTHS = frozenset(MONTH_NUMBERS)

PRONOUNS = _words("he she it they i we you him her them us me who which that this these those his its their")
"""Pronouns, which the recogniser sometimes includes at the end of a name."""

NAME_ENDS = _words(
    "hereby herein hereof hereto hereunder thereof therein therewith further today yesterday tomorrow also"
)
"""Words that the parser takes for the end of the name before them."""

ROLE_WORDS = _words(
    """acting assistant associate chair chairman chairwoman chairperson chief counsel deputy director executive
    financial general head interim lead legal manager member officer operating partner president principal
    secretary senior title treasurer vice attorney administrative administrator esq warden petitioner respondent
    plaintiff defendant appellant appellee and of the &"""
)
"""Words of the names of positions, which name nobody alone: "Vice President and Treasurer"."""

LABEL_WORDS = _words(
    """agency address applicant author branch case client company contact contractor customer date department
    description district division employee employer facility institution issuer location manufacturer model name
    office organisation organization owner patient phone place position product project provider publisher reference
    region school seller site state status subject supplier telephone title type unit vendor"""
)
"""Common words that are labels in forms and names nowhere."""

PREPOSITIONAL_VERBS = _words(
    """according assuming based beginning compared concerning considering depending excluding following including
    pursuant regarding relating resulting starting using"""
)
"""Participles that serve as prepositions: "measured using a probe" does not say what uses the probe."""

LOOSE_PREPOSITIONS = _words(
    "among amongst between despite except unlike throughout than notwithstanding regardless upon besides"
)
"""Prepositions that relate their object to the whole sentence or to several things."""
