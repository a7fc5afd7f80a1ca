// Export of the graph as an SVG document, from positions and computed styles.

const GAP = 26;

const escape = (text) =>
  String(text)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "") // invalid in XML
    .replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`);

const round = (value) => Math.round(value * 10) / 10;

/** Return a standalone SVG of all visible elements. */
export function toSvg(cy, theme) {
  const shown = cy.elements().filter((element) => element.visible());
  const { x1, y1, w, h } = shown.boundingBox();
  const box = [x1 - GAP, y1 - GAP, w + 2 * GAP, h + 2 * GAP].map(round);
  const parts = [...shown.edges().map(renderEdge), ...shown.nodes().map((node) => renderNode(node)), ...shown.nodes().map(renderLabel)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(" ")}" width="${box[2]}" height="${box[3]}" ` +
    `font-family="${escape(theme.font)}"><defs>${renderArrow(theme)}</defs>` +
    `<rect x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}" fill="${escape(theme.background)}"/>` +
    `${parts.join("")}</svg>`
  );
}

const renderArrow = (theme) =>
  `<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">` +
  `<path d="M0 0 8 4 0 8z" fill="${escape(theme.primary)}"/></marker>`;

function renderEdge(item) {
  const [from, to] = [item.sourceEndpoint(), item.targetEndpoint()];
  const dashed = item.style("line-style") === "dashed" ? ' stroke-dasharray="4 3"' : "";
  const pointed = item.style("target-arrow-shape") === "none" || !item.hasClass("spine") ? "" : ' marker-end="url(#arrow)"';
  const line =
    `<line x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}" ` +
    `stroke="${escape(item.style("line-color"))}" stroke-width="${parseFloat(item.style("width"))}"${dashed}${pointed}/>`;
  const label = item.style("label");
  if (!label) return line;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 6 };
  return `${line}${renderText(label, middle, 9, item.style("color"), "middle", 400)}`;
}

function renderNode(node) {
  const { x, y } = node.position();
  const r = node.width() / 2;
  const attributes =
    `fill="${escape(node.style("background-color"))}" stroke="${escape(node.style("border-color"))}" ` +
    `stroke-width="${parseFloat(node.style("border-width"))}"`;
  const corners = CORNERS[node.style("shape")];
  if (corners) {
    const points = corners.map(([dx, dy]) => `${round(x + dx * r)},${round(y + dy * r)}`).join(" ");
    return `<polygon points="${points}" ${attributes}/>`;
  }
  if (node.style("shape") === "ellipse") return `<circle cx="${round(x)}" cy="${round(y)}" r="${r}" ${attributes}/>`;
  return `<rect x="${round(x - r)}" y="${round(y - r)}" width="${2 * r}" height="${2 * r}" rx="4" ${attributes}/>`;
}

const star = [...Array(10).keys()].map((index) => {
  const angle = (index * Math.PI) / 5 - Math.PI / 2;
  const reach = index % 2 ? 0.45 : 1;
  return [reach * Math.cos(angle), reach * Math.sin(angle)];
});

const CORNERS = {
  diamond: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  hexagon: [[-1, 0], [-0.5, -1], [0.5, -1], [1, 0], [0.5, 1], [-0.5, 1]],
  rectangle: [[-1, -1], [1, -1], [1, 1], [-1, 1]],
  star,
};

function renderLabel(node) {
  const label = node.style("label");
  if (!label) return "";
  const { x, y } = node.position();
  const size = parseFloat(node.style("font-size"));
  const weight = node.style("font-weight");
  const colour = node.style("color");
  if (node.style("text-halign") === "left") {
    return renderText(label, { x: x - node.width() / 2 - 6, y: y + size / 3 }, size, colour, "end", weight);
  }
  return renderText(label, { x, y: y + node.height() / 2 + size + 4 }, size, colour, "middle", weight);
}

// Text in lines of about twenty characters, as the canvas wraps it.
function renderText(label, { x, y }, size, colour, anchor, weight) {
  const lines = label.split(/\s+/).reduce((done, word) => {
    const last = done.at(-1);
    return last !== undefined && `${last} ${word}`.length <= 20 ? [...done.slice(0, -1), `${last} ${word}`] : [...done, word];
  }, []);
  const spans = lines.map((line, index) => `<tspan x="${round(x)}" dy="${index ? size * 1.15 : 0}">${escape(line)}</tspan>`);
  return (
    `<text y="${round(y)}" font-size="${size}" font-weight="${weight}" fill="${escape(colour)}" ` +
    `text-anchor="${anchor}">${spans.join("")}</text>`
  );
}
