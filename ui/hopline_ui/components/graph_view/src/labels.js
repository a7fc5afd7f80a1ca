// Labels of a force layout have a constant size on the screen, and as many are shown as fit without overlap. Of two
// labels that overlap, that of the more connected node is shown; in a large graph labels may overlap nodes. Zooming in
// shows more. Boxes are computed here, because asking cytoscape for them would restyle all elements.

const SIZE = 11; // pixels on the screen
const MIN_SIZE = 2.5; // model units
const MAX_SIZE = 100;
const LINE_WIDTH = 10; // in font sizes
const PATH_LINE_WIDTH = 100 / SIZE; // the same on the path, whose labels keep the size of theme.js
const MAX_LABELS = 250; // candidates in view
const MAX_LABELS_LARGE = 40; // the same in a large graph
const GAP = 4; // around a label, in model units: the padding that cytoscape adds, and a little more
const BODY = 5; // half of the square of a node that labels must not cover; nodes with a size have that of their size

/** Show the labels that fit: first those of selected, pinned and path nodes, then of their neighbours. */
export function updateLabels(cy) {
  const size = Math.min(MAX_SIZE, Math.max(MIN_SIZE, SIZE / cy.zoom()));
  const view = cy.extent();
  const large = cy.nodes(".small").length > 0;
  const visible = cy.nodes().filter((node) => !node.hasClass("hidden") && overlaps(toBody(node), view));
  const candidates = visible
    .filter((node) => node.data("short") && (!node.hasClass("quiet") || node.is(".near, .selected")))
    .toArray()
    .sort((a, b) => computePriority(b) - computePriority(a))
    .slice(0, large ? MAX_LABELS_LARGE : MAX_LABELS);
  const bodies = large ? [] : visible.map((node) => ({ id: node.id(), box: toBody(node) }));
  const boxes = [];
  const shown = new Set();
  for (const node of candidates) {
    const box = computeBox(node, size);
    const overlapsBox = (other) => overlaps(box, other);
    const taken = boxes.some(overlapsBox) || bodies.some(({ id, box: body }) => id !== node.id() && overlapsBox(body));
    if (taken && !node.is(".selected, .spine")) continue;
    boxes.push(box);
    shown.add(node.id());
  }
  cy.batch(() =>
    cy.nodes(".free").forEach((node) => {
      const covered = !shown.has(node.id());
      if (covered !== node.hasClass("covered")) node.toggleClass("covered", covered);
      if (!covered && node.scratch("size") !== size) node.scratch("size", size).style({ "font-size": size, "text-max-width": LINE_WIDTH * size });
    }),
  );
}

// The label is below its node, wrapped as cytoscape does: at spaces, never inside a word.
function computeBox(node, size) {
  const { x, y } = node.position();
  const fontSize = node.hasClass("free") ? size : SIZE;
  const { width, lines } = measureLabel(node);
  const half = (width * fontSize) / 2;
  const top = y + node.height() / 2 + 2;
  return { x1: x - half - GAP, x2: x + half + GAP, y1: top - GAP, y2: top + 1.25 * fontSize * lines + GAP };
}

let context;

// Width and number of lines of a label at font size 1; measured once.
function measureLabel(node) {
  if (node.scratch("name") !== node.data("short")) {
    context ??= document.createElement("canvas").getContext("2d");
    context.font = `${node.style("font-weight")} 100px ${node.style("font-family")}`;
    node.scratch("name", node.data("short")).scratch("block", wrapLabel(node.data("short"), node.hasClass("free") ? LINE_WIDTH : PATH_LINE_WIDTH));
  }
  return node.scratch("block");
}

function wrapLabel(name, limit) {
  const measureWidth = (text) => context.measureText(text).width / 100;
  const [first, ...rest] = name.split(/\s+/);
  const lines = [first];
  for (const word of rest) {
    const longer = `${lines.at(-1)} ${word}`;
    if (measureWidth(longer) <= limit) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return { width: Math.max(...lines.map(measureWidth)), lines: lines.length };
}

const computePriority = (node) => (node.is(".selected, .spine, .pinned") ? 1e6 : node.is(".near") ? 1e3 : 0) + (node.data("size") ?? 0) + node.degree(false);

function toBody(node) {
  const { x, y } = node.position();
  const half = Math.max(BODY, (node.data("size") ?? 0) / 2);
  return { x1: x - half, x2: x + half, y1: y - half, y2: y + half };
}

const overlaps = (one, other) => one.x1 < other.x2 && other.x1 < one.x2 && one.y1 < other.y2 && other.y1 < one.y2;
