// Names in a free picture: always of one size on the screen, and as many as have room. Where two would
// cover each other, or one a node, the better connected one is shown; in a crowd a name may cover nodes.
// Zooming in makes room for more.

const SIZE = 11; // pixels on the screen
const SMALLEST = 2.5; // in the picture's own units
const LARGEST = 100;
const WIDE = 10; // letters' heights that a line of a name may take
const MOST = 250; // names that are looked at, of what is in view
const MOST_OF_CROWD = 40;
const GAP = 2; // around a name, in the picture's own units
const BODY = 5; // half of what must stay free of a node

/** Shows the names that have room; what is selected, pinned or on the path comes first, then its neighbours. */
export function part(cy) {
  const size = Math.min(LARGEST, Math.max(SMALLEST, SIZE / cy.zoom()));
  const view = cy.extent();
  const seen = cy.nodes().filter((node) => !node.hasClass("hidden") && meet(around(node.position()), view));
  const crowd = cy.nodes(".small").length > 0;
  const wanted = seen
    .filter((node) => node.data("short") && (!node.hasClass("quiet") || node.is(".near, .selected")))
    .toArray()
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, crowd ? MOST_OF_CROWD : MOST);
  cy.batch(() => {
    cy.nodes(".free").addClass("covered");
    wanted.forEach((node) => node.removeClass("covered"));
    wanted.filter((node) => node.hasClass("free")).forEach((node) => node.style({ "font-size": size, "text-max-width": WIDE * size }));
  });
  const bodies = crowd ? [] : seen.map((node) => ({ id: node.id(), box: around(node.position()) }));
  const names = [];
  const covered = [];
  for (const node of wanted) {
    const box = node.boundingBox({ includeNodes: false, includeOverlays: false, includeUnderlays: false });
    const over = (other) => meet(box, other);
    const taken = names.some(over) || bodies.some(({ id, box: body }) => id !== node.id() && over(body));
    if (taken && !node.is(".selected, .spine")) covered.push(node);
    else names.push(box);
  }
  cy.batch(() => covered.forEach((node) => node.addClass("covered")));
}

const rank = (node) => (node.is(".selected, .spine, .pinned") ? 1e6 : node.is(".near") ? 1e3 : 0) + node.degree(false);

const around = ({ x, y }) => ({ x1: x - BODY, x2: x + BODY, y1: y - BODY, y2: y + BODY });

const meet = (one, other) =>
  one.x1 - GAP < other.x2 && other.x1 - GAP < one.x2 && one.y1 - GAP < other.y2 && other.y1 - GAP < one.y2;
