"""Hyphenation of the long words of the samples."""

from __future__ import annotations

import re

SOFT = "\u00ad"
BREAKS = (
    "accord-ing", "agree-ment", "archi-pel-ago", "author-ity", "avail-abil-ity", "bat-ter-ies", "bound-ary",
    "cal-i-brated", "com-mis-sioned", "con-cen-trate", "con-di-tion", "con-duc-tiv-ity", "con-sump-tion",
    "co-op-er-a-tive", "de-pos-i-tors", "de-sali-na-tion", "dis-charge", "elec-tric-ity", "engi-neer",
    "envi-ron-men-tal", "esti-mated", "expe-di-tion", "finan-cial", "gen-er-ated", "hydrol-ogy", "impor-tant",
    "infra-struc-ture", "inspec-tion", "instal-la-tion", "instru-ments", "inter-na-tional", "main-te-nance",
    "man-age-ment", "mea-sure-ments", "mem-branes", "neigh-bour-ing", "oper-a-tions", "oper-ated", "pas-sen-gers",
    "per-ma-nent", "pro-duc-tion", "rec-om-mended", "reli-abil-ity", "repay-ment", "repre-sent", "reser-voir",
    "salin-ity", "sched-uled", "sta-tis-tics", "sub-sidiary", "sup-plied", "sur-vey-ors", "tech-ni-cal",
    "tem-per-a-ture", "trans-former",
)  # fmt: skip
_SOFT_FORMS = {word.replace("-", ""): word.replace("-", SOFT) for word in BREAKS}
_WORD = re.compile(r"[a-z]+")


def add_soft_hyphens(text: str) -> str:
    """Insert soft hyphens into the words of `BREAKS`; capitalised words are not hyphenated."""
    return _WORD.sub(lambda match: _SOFT_FORMS.get(match.group(), match.group()), text)
