"""The islands' energy plan: the tidal turbines, who leads whom, a figure."""

from layout import Chart, DataTable, Heading, NewPage, Report, Text

REPORT = Report(
    name="varrow-energy-plan-2030",
    title="Energy Plan 2030",
    subtitle="Adopted by the assembly of the Varrow Islands on 12 November 2024",
    header="Assembly of the Varrow Islands",
    footer="Energy Plan 2030",
    face="Helvetica",
    blocks=(
        Heading("1 Where we are"),
        Text(
            "In 2015 the islands burned oil for all of their electricity. In 2024 four fifths came from the tide. The "
            "turbines in the Kestrel Narrows are operated by Varrow Tidal Power (VTP). There are six of them, each of "
            "1.2 megawatts; the first two were installed in 2016 and the last in 2021. They were built by Ostra "
            "Marine Works."
        ),
        Text(
            "The tide turns four times a day, and at slack water nothing is generated. A battery of 9 megawatt hours "
            "at Port Ansel bridges the gaps. The old diesel station at Mill Bay is kept as a reserve and ran for 310 "
            "hours in 2024."
        ),
        Heading("2 Who uses the power"),
        Chart(
            "Figure 1: Electricity used in 2024, by user",
            ("Households", "Desalination", "Harbour", "Ferry", "Other"),
            (9.8, 3.3, 2.6, 1.1, 1.7),
            "gigawatt hours",
        ),
        Text(
            "Households use more than half. The desalination plant is the largest single customer, followed by the "
            "harbour with its cold stores. Losses in the cables are about five per cent and not shown."
        ),
        NewPage(),
        Heading("3 What will be built"),
        DataTable(
            "Table 1: Projects of the plan",
            (
                ("Project", "Year", "Cost (EUR m)", "Responsible"),
                ("Stronger cable to Kestrel Quay", "2028", "7.4", "Varrow Tidal Power"),
                ("Two further turbines", "2027", "16.0", "Varrow Tidal Power"),
                ("Second battery, Mill Bay", "2026", "5.2", "Assembly"),
                ("Solar roofs on schools", "2025", "0.8", "Assembly"),
            ),
            widths=(165, 55, 90, 130),
        ),
        Text(
            "The diesel station will be closed when the second battery has run for a year without fault, and not "
            "before. Wind was considered and rejected: the only ridge that is high enough is a nesting place of the "
            "storm petrel."
        ),
        Heading("4 Who advised the assembly"),
        Text(
            "The plan rests on a study of the currents by the Institute of Coastal Hydrology, which is headed by Amara "
            "Quist. Dr Quist told the assembly in May that two further turbines would slow the current in the "
            "narrows by less than one per cent, and that four would be too many. The costs were checked by Lantern "
            "Mutual Bank. The assembly thanks both."
        ),
        Heading("5 Review"),
        Text(
            "The plan will be reviewed in 2027. The clerk of the assembly, Joanna Feld, publishes the figures every "
            "March."
        ),
    ),
)
