"""The bank's lending report: who founded and who financed what, and a table of loans."""

from layout import DataTable, Heading, NewPage, Report, Text

REPORT = Report(
    name="lantern-lending-report-2024",
    title="Lending to Island Infrastructure 2024",
    subtitle="Lantern Mutual Bank, Port Ansel, April 2025",
    header="Lantern Mutual Bank",
    footer="Lending to Island Infrastructure 2024",
    face="Helvetica",
    blocks=(
        Heading("1 About the bank"),
        Text(
            "Lantern Mutual Bank (LMB) belongs to its 8,400 depositors. It was founded in 1911 by the fishing "
            "cooperative of Port Ansel, whose members needed boats and could not get credit on the mainland. Its "
            "chairman since 2017 is Tobias Renn. The bank lends on the Varrow Islands only, and since 2008 it has "
            "reported its lending to infrastructure apart from that to households."
        ),
        Text(
            "At the end of 2024 five loans to infrastructure were outstanding, with a sum of 71.4 million euros. All "
            "of them were served on time. No new loan was signed in 2024; one, to the cold store at Kestrel Quay, was "
            "repaid early in May."
        ),
        Heading("2 The borrowers"),
        Text(
            "Tidewell Utilities was founded by Maud Kerrigan in 1987. Kerrigan, an engineer who had come to the "
            "islands to drill wells, began with a single pump house and 90 customers. Her company took over the "
            "town's sewers in 1996 and won the concession for desalination in 2013. Today it has 61 employees and no "
            "subsidiary outside the islands."
        ),
        Text(
            "Varrow Tidal Power (VTP) was founded in 2009 by the brothers Anton and Piet Lindqvist. It is the smallest "
            "of our borrowers by staff, with nine employees, and the largest by debt. The turbines in the Kestrel "
            "Narrows were financed by Lantern Mutual Bank together with the Mainland Development Fund."
        ),
        Text(
            "Varrow Sound Ferries (VSF) has been a customer since 1934. Lantern Mutual Bank financed MV Petrel, the "
            "first electric ferry on the sound, with a loan of 18.2 million euros that was signed on 3 March 2021. "
            "The older ships of the fleet carry no debt."
        ),
        Text(
            "The Port Ansel Harbour Authority borrowed in 2018 to rebuild Kestrel Quay after the storm of the previous "
            "winter. The Institute of Coastal Hydrology borrowed a small sum in 2015 for a laboratory."
        ),
        NewPage(),
        Heading("3 Loans outstanding"),
        DataTable(
            "Table 1: Loans to infrastructure on 31 December 2024",
            (
                ("Borrower", "Purpose", "Signed", "Owed (EUR m)", "Interest (%)"),
                ("Tidewell Utilities", "Energy recovery turbine", "2023", "4.6", "3.85"),
                ("Varrow Tidal Power", "Tidal turbines", "2019", "39.5", "2.90"),
                ("Varrow Sound Ferries", "MV Petrel", "2021", "15.1", "2.35"),
                ("Port Ansel Harbour Authority", "Kestrel Quay", "2018", "11.3", "3.10"),
                ("Institute of Coastal Hydrology", "Laboratory", "2015", "0.9", "3.40"),
            ),
            widths=(150, 115, 50, 78, 70),
        ),
        Text(
            "Interest is fixed for the whole term in every agreement. The loan for MV Petrel carries the lowest rate "
            "because half of it is guaranteed by the Mainland Development Fund. Repayment takes between twelve and "
            "twenty-five years."
        ),
        Heading("4 What the loans are for"),
        Text(
            "We finance what the islands cannot do without: water, power, ships and the quays at which they land. The "
            "board asks three questions of each borrower. Is the service needed by most depositors? Can it be repaid "
            "from its own income? Will the thing that is bought outlast the loan? The last has become the most "
            "important, and it is why the bank sent its own surveyors to the tidal turbines in 2024, who estimated "
            "that the gearboxes will last until 2036."
        ),
        Text(
            "In 2025 the bank expects two applications. Tidewell Utilities has announced that it will ask for a loan "
            "for new membranes. The Harbour Authority is considering a second charging mast."
        ),
        Heading("5 Risk"),
        Text(
            "More than half of the lending depends on one narrow strait. If the turbines fail, the power company "
            "cannot pay, the desalination plant must burn oil again and the electric ferry cannot charge. The board "
            "has therefore limited further lending to Varrow Tidal Power to 45 million euros in all."
        ),
    ),
)
