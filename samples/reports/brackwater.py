"""The desalination plant's operating review: who operates it, what it made, a two-column page, a figure."""

from layout import Chart, Columns, DataTable, Heading, NewPage, Report, Text

IN_COLUMNS = (
    Heading("4 How the plant works"),
    Text(
        "Sea water is drawn from an intake 340 metres off the western shore, at a depth of eleven metres. It is "
        "screened, dosed with a coagulant and passed through sand filters before it reaches the high-pressure "
        "pumps. The pumps press it against the membranes at 58 bar. Slightly less than half of it passes as fresh "
        "water; the rest leaves as concentrate."
    ),
    Text(
        "The concentrate is twice as salty as the sea. It is led back through a pipe that ends in 16 nozzles on "
        "the sea floor, where the tidal current mixes it within minutes. The environmental permit sets a boundary "
        "100 metres around the nozzles, the mixing zone. At this boundary the salinity may not be more than two "
        "per cent above that of the open sound."
    ),
    Heading("5 Membranes"),
    Text(
        "The membranes are in three trains of 84 pressure vessels each. Trains A and B were renewed in 2019. Train "
        "C still has the membranes with which the plant was opened in 2014, and lets through more salt every "
        "year: the conductivity of its product rose to 610 microsiemens per centimetre in November. We have "
        "recommended that Train C be renewed in the winter of 2025, for an estimated 1.9 million euros."
    ),
    Text(
        "Cleaning with citric acid every ten weeks instead of every sixteen has brought no gain and was given up "
        "in October. The operations team now cleans when the pressure difference across a train has risen by 15 "
        "per cent."
    ),
    Heading("6 Storage and supply"),
    Text(
        "Fresh water is pumped to the town tank above Port Ansel, which holds 6,200 cubic metres, a little more "
        "than one summer day's use. A second tank is not planned. The neighbouring island of Little Varrow has no "
        "pipe and is supplied twice a week by the ferry MV Storm Tern, which carries a 40 cubic metre tank on its "
        "car deck."
    ),
    Heading("7 People and safety"),
    Text(
        "There were no accidents with lost time. One contractor was treated for an acid splash during the "
        "cleaning of Train A in March. All shift engineers now hold the permanent certificate for high-pressure "
        "installations, which three of them lacked a year ago."
    ),
)

REPORT = Report(
    name="brackwater-operating-review-2024",
    title="Brackwater Desalination Plant: Operating Review 2024",
    subtitle="Prepared for the Water Board of the Varrow Islands, March 2025",
    header="Brackwater Desalination Plant",
    footer="Operating Review 2024",
    blocks=(
        Heading("1 Purpose of this review"),
        Text(
            "The Brackwater Desalination Plant is the only source of drinking water on the main island of the Varrow "
            "archipelago between June and September, when the reservoir above Port Ansel runs low. This review tells "
            "the Water Board how much water the plant made in 2024, what it cost, and what must be replaced before "
            "the summer of 2026. It follows the form that the Water Board agreed in 2021."
        ),
        Heading("2 Who runs the plant"),
        Text(
            "The Brackwater Desalination Plant is operated by Tidewell Utilities (TU) under a concession that ends on "
            "31 December 2039. The plant itself belongs to the Water Board. Tidewell Utilities employs 23 people at "
            "Brackwater, eleven of them on shift. The plant manager since 2020 is Helena Marsh."
        ),
        Text(
            "The membranes of the plant were supplied by Coraline Filtration. All electricity is bought from Varrow "
            "Tidal Power under an agreement signed in 2022; before that year the plant burned diesel oil for about a "
            "third of its consumption."
        ),
        Heading("3 The year in short"),
        Text(
            "The plant stood still for 19 days, of which 14 were scheduled maintenance in February. The longest "
            "unplanned stop, on 8 and 9 August, followed the failure of a transformer and emptied the town tank to "
            "22 per cent. Water was brought by ship for the first time since 2016. The reliability target of 96 per "
            "cent was missed by one point."
        ),
        Text(
            "Two things went better than planned. The new energy recovery turbine, commissioned in April, cut the "
            "electricity used for a cubic metre of water by more than a tenth. And the salinity at the edge of the "
            "mixing zone stayed below the permitted value in every month, according to measurements made by the Heron "
            "Point Research Station."
        ),
        NewPage(),
        Columns(IN_COLUMNS),
        NewPage(),
        Heading("8 Figures"),
        DataTable(
            "Table 1: Water produced, electricity used and cost, by year",
            (
                ("Year", "Water produced (m3)", "Electricity (MWh)", "Per m3 (kWh)", "Cost per m3 (euros)"),
                ("2020", "842,000", "3,452", "4.10", "1.58"),
                ("2021", "861,500", "3,489", "4.05", "1.61"),
                ("2022", "903,200", "3,613", "4.00", "1.83"),
                ("2023", "918,400", "3,628", "3.95", "1.77"),
                ("2024", "955,700", "3,345", "3.50", "1.64"),
            ),
            widths=(60, 110, 105, 85, 110),
        ),
        Text(
            "Since the change of supplier all electricity comes from the tidal turbines, so the price of water no "
            "longer follows that of oil. Table 2 shows the state of the three trains at the end of the year."
        ),
        DataTable(
            "Table 2: Membrane trains on 31 December 2024",
            (
                ("Train", "Membranes from", "Capacity (m3 a day)", "Salt passage (%)"),
                ("A", "2019", "1,400", "0.6"),
                ("B", "2019", "1,400", "0.7"),
                ("C", "2014", "1,150", "1.9"),
            ),
            widths=(70, 110, 130, 110),
            ruled=False,
        ),
        Chart(
            "Figure 1: Days on which the plant stood still, 2020 to 2024",
            ("2020", "2021", "2022", "2023", "2024"),
            (12, 9, 15, 11, 19),
            "days",
        ),
    ),
)
