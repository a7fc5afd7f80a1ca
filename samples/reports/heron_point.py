"""The research station's field report, laid out like a paper: abstract, two columns, measurements."""

from layout import Columns, DataTable, Heading, NewPage, Report, Text

IN_COLUMNS = (
    Heading("1 Introduction"),
    Text(
        "Desalination returns salt to the sea. Where the water is still, the heavy concentrate can lie on the "
        "sea floor and kill what grows there. In the Sound of Varrow the tide runs at up to two metres a "
        "second, and the question is whether that is enough."
    ),
    Text(
        "The Heron Point Research Station is run by the Institute of Coastal Hydrology (ICH) and has kept a record of "
        "the temperature and salinity of the sound since 1972. It stands on the northern cape of the main "
        "island, has room for fourteen people, and can be reached by ferry from Port Ansel."
    ),
    Heading("2 Methods"),
    Text(
        "Four moorings carried conductivity sensors at one metre above the sea floor. They were calibrated in "
        "March and in September against bottled standards; the drift was less than 0.02. A sensor gave a value "
        "every ten minutes. Mooring M3 was lost on 8 January and replaced on 2 February."
    ),
    Text(
        "Seagrass was mapped in August from a drone at 80 metres, and by divers along twelve lines. The species "
        "is eelgrass throughout. The drone was lent by the University of Tarn."
    ),
    Heading("3 Results"),
    Text(
        "Table 1 gives the means. The highest single value, 36.4, was measured at M1 during the neap tide of 17 "
        "July, when the current was weakest. The permit allows two per cent above the open sound, which is "
        "35.9; monthly means stayed below that at every mooring outside the mixing zone."
    ),
    Text(
        "The meadows cover 41 hectares, compared with 35 in 2018. Most of the growth is on the eastern side, in "
        "water less than four metres deep. Shoots are as dense 150 metres from the nozzles as they are two "
        "kilometres away."
    ),
)

REPORT = Report(
    name="heron-point-field-report-2024",
    title="Salinity and Seagrass in the Sound of Varrow, 2024",
    subtitle="Field report of the Heron Point Research Station. S. Adeyemi, J. Castellan and W. Brandt",
    header="Heron Point Research Station",
    footer="Field report 2024",
    blocks=(
        Text(
            "Abstract. We measured salinity at four points around the outfall of the Brackwater Desalination Plant "
            "and mapped the seagrass meadows within two kilometres of it. At the boundary of the mixing zone the "
            "mean salinity was 35.6, against 35.2 in the open sound. The meadows have grown by six hectares since "
            "2018. We found no sign that the concentrate harms them.",
            small=True,
        ),
        Columns(IN_COLUMNS),
        NewPage(),
        DataTable(
            "Table 1: Mean salinity at the moorings, 2024",
            (
                ("Mooring", "Distance from outfall (m)", "Mean", "Highest", "Days of record"),
                ("M1", "50", "35.8", "36.4", "366"),
                ("M2", "100", "35.6", "36.1", "359"),
                ("M3", "400", "35.3", "35.7", "341"),
                ("M4", "2,000", "35.2", "35.5", "366"),
            ),
            widths=(70, 140, 70, 70, 100),
        ),
        Heading("4 Discussion"),
        Text(
            "The tide does mix the concentrate. A mean excess of 0.4 at 100 metres is well within what eelgrass "
            "tolerates, and less than the difference between a wet and a dry year. That the meadows grow is more "
            "likely due to the ban on anchoring, which the Port Ansel Harbour Authority imposed in 2017, than to "
            "anything that the plant does."
        ),
        Text(
            "Our record has a weakness. All four moorings lie to the north of the outfall, where the stronger "
            "current of the flood tide goes. A fifth mooring, to the south, is planned for 2025."
        ),
        Heading("5 Acknowledgements"),
        Text(
            "The moorings were paid for by the Water Board. Varrow Sound Ferries carried our instruments. We thank "
            "Helena Marsh for the plant's discharge records and Captain Callum Reyes for the loan of a winch."
        ),
    ),
)
