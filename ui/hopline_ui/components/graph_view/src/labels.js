// Names in a free picture: always of one size on the screen, and as many as have room. Where two would
// cover each other, or one a node, the better connected one is shown; in a crowd a name may cover nodes.
// Zooming in makes room for more. Boxes are reckoned, not asked of cytoscape, which would style all anew.

const SIZE = 11; // pixels on the screen
const SMALLEST = 2.5; // in the picture's own units
const LARGEST = 100;
const LINE = 10; // letters' heights that a line of a name may take
const LINE_OF_PATH = 100 / SIZE; // the same on the path, whose names keep the size of look.js
const MOST = 250; // names that are looked at, of what is in view
const MOST_OF_CROWD = 40;
const GAP = 4; // around a name, in the picture's own units: what cytoscape adds to its letters, and a hair
const BODY = 5; // half of what must stay free of a node

/** Shows the names that have room; what is selected, pinned or on the path comes first, then its neighbours. */
export function part(cy) {
  const size = Math.min(LARGEST, Math.max(SMALLEST, SIZE / cy.zoom()));
  const view = cy.extent();
  const crowd = cy.nodes(".small").length > 0;
  const seen = cy.nodes().filter((node) => !node.hasClass("hidden") && meet(around(node.position()), view));
  const wanted = seen
    .filter((node) => node.data("short") && (!node.hasClass("quiet") || node.is(".near, .selected")))
    .toArray()
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, crowd ? MOST_OF_CROWD : MOST);
  const bodies = crowd ? [] : seen.map((node) => ({ id: node.id(), box: around(node.position()) }));
  const names = [];
  const shown = new Set();
  for (const node of wanted) {
    const box = boxOf(node, size);
    const over = (other) => meet(box, other);
    const taken = names.some(over) || bodies.some(({ id, box: body }) => id !== node.id() && over(body));
    if (taken && !node.is(".selected, .spine")) continue;
    names.push(box);
    shown.add(node.id());
  }
  cy.batch(() =>
    cy.nodes(".free").forEach((node) => {
      const covered = !shown.has(node.id());
      if (covered !== node.hasClass("covered")) node.toggleClass("covered", covered);
      if (!covered && node.scratch("size") !== size) node.scratch("size", size).style({ "font-size": size, "text-max-width": LINE * size });
    }),
  );
}

// The name stands beneath its node, in lines as cytoscape breaks them: at spaces, and never inside a word.
function boxOf(node, size) {
  const { x, y } = node.position();
  const letter = node.hasClass("free") ? size : SIZE;
  const { width, lines } = blockOf(node);
  const half = (width * letter) / 2;
  const top = y + node.height() / 2 + 2;
  return { x1: x - half - GAP, x2: x + half + GAP, y1: top - GAP, y2: top + 1.25 * letter * lines + GAP };
}

let pen;

// Width and lines of a name whose letters are one unit high; measured once.
function blockOf(node) {
  if (node.scratch("name") !== node.data("short")) {
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = `${node.style("font-weight")} 100px ${node.style("font-family")}`;
    node.scratch("name", node.data("short")).scratch("block", broken(node.data("short"), node.hasClass("free") ? LINE : LINE_OF_PATH));
  }
  return node.scratch("block");
}

function broken(name, limit) {
  const widthOf = (text) => pen.measureText(text).width / 100;
  const [first, ...rest] = name.split(/\s+/);
  const lines = [first];
  for (const word of rest) {
    const longer = `${lines.at(-1)} ${word}`;
    if (widthOf(longer) <= limit) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return { width: Math.max(...lines.map(widthOf)), lines: lines.length };
}

const rank = (node) => (node.is(".selected, .spine, .pinned") ? 1e6 : node.is(".near") ? 1e3 : 0) + node.degree(false);

const around = ({ x, y }) => ({ x1: x - BODY, x2: x + BODY, y1: y - BODY, y2: y + BODY });

const meet = (one, other) => one.x1 < other.x2 && other.x1 < one.x2 && one.y1 < other.y2 && other.y1 < one.y2;
