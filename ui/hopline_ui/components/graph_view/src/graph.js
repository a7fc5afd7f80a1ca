// The graph: updates a cytoscape instance from the component's data.

import cytoscape from "cytoscape";
import fcose from "cytoscape-fcose";

import { layoutByForce } from "./force_layout.js";
import { computePositions } from "./path_layout.js";
import { buildStylesheet } from "./theme.js";

cytoscape.use(fcose);

const LABEL_LENGTH = 42; // characters that fit below a node
const LARGE_GRAPH = 250; // nodes; above it fcose takes too long after ForceAtlas2, and only the most connected nodes are large

const shorten = (name) => {
  const letters = [...(name || "")];
  return letters.length > LABEL_LENGTH ? `${letters.slice(0, LABEL_LENGTH - 1).join("").trimEnd()}…` : letters.join("");
};

const RADIUS = 140; // from an expanded node to its new neighbours
const MAX_LABELED = 20; // nodes of a large graph that are large and labelled even if they are passages or triples
const SMALL_GRAPH = 30; // nodes; above it passages and triples have no labels

/** Convert nodes and edges to cytoscape's elements; edges without both ends are left out. */
function toElements({ nodes, edges, path, layout }) {
  const spine = new Map(path.map((id, index) => [id, index]));
  const known = new Set(nodes.map((node) => node.id));
  const drawn = layout === "path" ? "backing" : "";
  return [
    ...nodes.map((node) => ({
      group: "nodes",
      data: { ...node, short: shorten(node.name) },
      classes: spine.has(node.id) ? "spine" : node.role === "context" ? "" : drawn,
    })),
    ...edges
      .filter(({ source, target }) => known.has(source) && known.has(target))
      .map((edge, index) => {
        const along = spine.get(edge.target) - spine.get(edge.source) === 1;
        return {
          group: "edges",
          data: { id: `edge-${index}-${edge.source}-${edge.target}`, label: "", ...edge },
          classes: along ? "spine" : edge.role === "context" ? "" : drawn,
        };
      }),
  ];
}

/** Create a cytoscape instance in `frame`. */
export function createGraph(frame) {
  return cytoscape({
    container: frame,
    minZoom: 0.05,
    maxZoom: 4,
    boxSelectionEnabled: false,
    autounselectify: true,
    hideEdgesOnViewport: false,
    pixelRatio: "auto",
  });
}

/** Replace all elements; existing nodes keep their position in a force layout. Returns whether there were nodes. */
export function updateElements(cy, data) {
  const before = new Map(cy.nodes().map((node) => [node.id(), { ...node.position() }]));
  cy.batch(() => {
    cy.elements().remove();
    cy.add(toElements(data));
    cy.nodes().forEach((node) => {
      const place = before.get(node.id());
      if (place) node.position(place);
    });
    if (data.layout === "force" && before.size) placeNewNodes(cy, before);
    cy.nodes("[?pinned]").lock().addClass("pinned");
    if (data.layout === "force") reduceLabels(cy);
  });
  return before.size > 0;
}

// Place new nodes in a ring around a neighbour, so that the layout has room for them.
function placeNewNodes(cy, before) {
  const fresh = cy.nodes().filter((node) => !before.has(node.id()));
  fresh.forEach((node, index) => {
    const from = node.neighborhood("node").filter((other) => before.has(other.id())).first();
    const { x, y } = from.length ? before.get(from.id()) : { x: 0, y: 0 };
    const angle = (2 * Math.PI * index) / fresh.length;
    node.position({ x: x + RADIUS * Math.cos(angle), y: y + RADIUS * Math.sin(angle) });
  });
}

// Long texts are poor labels in dense graphs; in large graphs all nodes but the path and the most connected are small.
function reduceLabels(cy) {
  const count = cy.nodes().length;
  cy.renderer().hideEdgesOnViewport = count > LARGE_GRAPH; // thousands of lines slow down moving
  cy.nodes().not(".spine").addClass("free");
  if (count > SMALL_GRAPH) cy.nodes('[kind = "passage"], [kind = "triple"]').not(".spine").addClass("quiet");
  if (count <= LARGE_GRAPH) return;
  const ranked = cy.nodes().sort((a, b) => b.degree(false) - a.degree(false));
  ranked.not(".spine").addClass("small");
  ranked.slice(0, MAX_LABELED).removeClass("quiet").addClass("known");
}

const FCOSE = {
  name: "fcose",
  randomize: false, // starts from the positions of ForceAtlas2, so that a graph is always drawn in the same way
  animate: false,
  fit: false,
  idealEdgeLength: 80,
  nodeRepulsion: 14000,
  nodeSeparation: 90,
  tilingPaddingVertical: 45, // between nodes without edges, for their labels
  tilingPaddingHorizontal: 90,
};

/** Compute the layout and fit the graph into its frame; `update` starts from the current positions. */
export function layoutGraph(cy, data, vertical, update) {
  if (data.layout !== "force") {
    cy.layout({ name: "preset", positions: computePositions(data.nodes, data.edges, data.path, vertical), fit: false }).run();
    fit(cy);
    return;
  }
  const large = cy.nodes().length > LARGE_GRAPH;
  if (large || !update) layoutByForce(cy, update);
  if (!large) cy.layout(FCOSE).run();
  fit(cy);
}

const MARGIN = 18; // pixels around the graph
const TOOLBAR = 36; // pixels at the top
const MAX_ZOOM = 1.15;

/** Fit all visible elements below the toolbar, at most at `MAX_ZOOM`. */
export function fit(cy, elements = cy.elements().not(".hidden")) {
  if (!elements.length || !cy.width() || !cy.height()) return;
  const { x1, y1, w, h } = elements.boundingBox();
  const zoom = Math.min(
    (cy.width() - 2 * MARGIN) / Math.max(w, 1),
    (cy.height() - 2 * MARGIN - TOOLBAR) / Math.max(h, 1),
    MAX_ZOOM,
  );
  const centre = { x: x1 + w / 2, y: y1 + h / 2 };
  cy.viewport({
    zoom: Math.max(zoom, cy.minZoom()),
    pan: { x: cy.width() / 2 - centre.x * zoom, y: (cy.height() + TOOLBAR) / 2 - centre.y * zoom },
  });
}

/** Compute the height in pixels at which a frame of this width shows the whole graph. */
export function computeHeight(cy, width) {
  const { w, h } = cy.elements().boundingBox();
  return h * Math.min(MAX_ZOOM, (width - 2 * MARGIN) / Math.max(w, 1)) + 2 * MARGIN + TOOLBAR;
}

/** Apply the styles of a theme and an orientation. */
export function applyStyle(cy, theme, vertical) {
  cy.style(buildStylesheet(theme, vertical));
}
