"""The harbour's inspection file: a typed letter, and the inspector's record as a scanned page."""

from pathlib import Path

from layout import Heading, Report, Scan, Text

SCANNED_PAGE = Path(__file__).parent.parent / "kestrel-quay-record.jpg"

REPORT = Report(
    name="kestrel-quay-inspection-2023",
    title="Inspection of Kestrel Quay",
    subtitle="Port Ansel Harbour Authority, file 23/117",
    header="Port Ansel Harbour Authority",
    footer="File 23/117",
    blocks=(
        Heading("1 Letter to the assembly"),
        Text(
            "Kestrel Quay was rebuilt in 2018 and must be inspected every five years. We enclose the record of the "
            "first inspection as it was written on the day. The inspector found the quay fit for use and asked for "
            "two repairs, of which the first has been done."
        ),
        Text(
            "The quay is 146 metres long. Its owner is the Port Ansel Harbour Authority. It is used by the electric "
            "ferry at night and by fishing boats during the day, and carries one crane, two cold stores and the "
            "charging mast. The harbour master, Nadia Brook, is responsible for its condition."
        ),
        Heading("2 What we have done since"),
        Text(
            "Fender 7 was exchanged in June 2023. The corroded ladder on the northern face will be replaced with the "
            "work on the cable in 2028; until then it is closed. The next inspection is due in May 2028."
        ),
        Text("The record follows on the next page. It exists on paper only and has been scanned."),
        Scan(SCANNED_PAGE),
    ),
)

RECORD = Report(  # what was scanned: it is rendered to the picture, and is no sample itself
    name="kestrel-quay-record",
    title="INSPECTION RECORD",
    subtitle="Form H-4, Port Ansel Harbour Authority",
    header="Form H-4",
    footer="to be kept for ten years",
    face="Courier",
    blocks=(
        Heading("1 Object"),
        Text("Kestrel Quay was inspected by Ines Varga on 14 May 2023. The weather was dry, the tide low."),
        Heading("2 Crane"),
        Text(
            "The crane at Kestrel Quay was tested with a load of 12.5 tonnes. It held the load for ten minutes "
            "without sinking. The brake was tested twice and found good."
        ),
        Heading("3 Fenders and ladders"),
        Text(
            "Fender 7 is torn and must be exchanged within three months. The ladder on the northern face is corroded "
            "below the water line and must be closed at once."
        ),
        Heading("4 Charging mast"),
        Text(
            "The charging mast stands on its own foundation and does not load the quay wall. The settlement since "
            "2022 is 3 millimetres."
        ),
        Heading("5 Finding"),
        Text("The quay is fit for use until May 2028. Signed: I. Varga, certified inspector no. 0482."),
    ),
)
