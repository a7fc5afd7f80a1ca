// The drawing itself: data -> a cytoscape instance that is kept while the data changes under it.

import cytoscape from "cytoscape";
import fcose from "cytoscape-fcose";

import { crowd } from "./crowd.js";
import { stylesheet } from "./look.js";
import { positions } from "./place.js";

cytoscape.use(fcose);

const SHORT = 42; // characters of a name that fit under a node
const CROWD = 250; // from here on ForceAtlas2 lays out, and only the best connected nodes are large

const cut = (name) => {
  const letters = [...(name || "")];
  return letters.length > SHORT ? `${letters.slice(0, SHORT - 1).join("").trimEnd()}…` : letters.join("");
};

const RING = 140; // from a node that was opened to what came with it
const NAMED = 20; // nodes of a crowd that are large, and carry their name even where it is a whole text
const FEW = 30; // up to so many nodes all carry their name; beyond it not those that are named by a whole text

/** Nodes and edges as cytoscape's elements; edges whose ends are missing are left out. */
function elements({ nodes, edges, path, layout }) {
  const spine = new Map(path.map((id, index) => [id, index]));
  const known = new Set(nodes.map((node) => node.id));
  const drawn = layout === "path" ? "backing" : "";
  return [
    ...nodes.map((node) => ({
      group: "nodes",
      data: { ...node, short: cut(node.name) },
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

/** A cytoscape instance in `frame`. */
export function create(frame) {
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

/** Replaces what is drawn; nodes that stay keep their place in a force layout. */
export function fill(cy, data) {
  const before = new Map(cy.nodes().map((node) => [node.id(), { ...node.position() }]));
  cy.batch(() => {
    cy.elements().remove();
    cy.add(elements(data));
    cy.nodes().forEach((node) => {
      const place = before.get(node.id());
      if (place) node.position(place);
    });
    if (data.layout === "force" && before.size) settle(cy, before);
    cy.nodes("[?pinned]").lock().addClass("pinned");
    if (data.layout === "force") quieten(cy);
  });
  return before.size > 0;
}

// What is new starts in a ring around what it came from, so that the layout finds room for it.
function settle(cy, before) {
  const fresh = cy.nodes().filter((node) => !before.has(node.id()));
  fresh.forEach((node, index) => {
    const from = node.neighborhood("node").filter((other) => before.has(other.id())).first();
    const { x, y } = from.length ? before.get(from.id()) : { x: 0, y: 0 };
    const angle = (2 * Math.PI * index) / fresh.length;
    node.position({ x: x + RING * Math.cos(angle), y: y + RING * Math.sin(angle) });
  });
}

// Texts make poor labels where many stand close; in a crowd nodes are small, but for the path and the best connected.
function quieten(cy) {
  const many = cy.nodes().length;
  cy.renderer().hideEdgesOnViewport = many > CROWD; // while it is moved: thousands of lines cost every frame
  cy.nodes().not(".spine").addClass("free");
  if (many > FEW) cy.nodes('[kind = "passage"], [kind = "triple"]').not(".spine").addClass("quiet");
  if (many <= CROWD) return;
  const ranked = cy.nodes().sort((a, b) => b.degree(false) - a.degree(false));
  ranked.not(".spine").addClass("small");
  ranked.slice(0, NAMED).removeClass("quiet").addClass("known");
}

const SPRINGS = {
  name: "fcose",
  animate: false,
  fit: false,
  idealEdgeLength: 80,
  nodeRepulsion: 14000,
  nodeSeparation: 90,
};

/** Lays the drawing out and fits it into its frame. */
export function arrange(cy, data, upright, grown) {
  if (data.layout !== "force") {
    cy.layout({ name: "preset", positions: positions(data.nodes, data.edges, data.path, upright), fit: false }).run();
    fit(cy);
    return;
  }
  if (cy.nodes().length > CROWD) crowd(cy, grown);
  else cy.layout({ ...SPRINGS, randomize: !grown }).run();
  fit(cy);
}

const MARGIN = 18; // pixels around the drawing
const BAR = 36; // pixels at the top that belong to the tool buttons
const LARGEST = 1.15;

/** Everything that is not hidden, under the tool bar, not larger than life. */
export function fit(cy, elements = cy.elements().not(".hidden")) {
  if (!elements.length || !cy.width() || !cy.height()) return;
  const { x1, y1, w, h } = elements.boundingBox();
  const zoom = Math.min(
    (cy.width() - 2 * MARGIN) / Math.max(w, 1),
    (cy.height() - 2 * MARGIN - BAR) / Math.max(h, 1),
    LARGEST,
  );
  const middle = { x: x1 + w / 2, y: y1 + h / 2 };
  cy.viewport({
    zoom: Math.max(zoom, cy.minZoom()),
    pan: { x: cy.width() / 2 - middle.x * zoom, y: (cy.height() + BAR) / 2 - middle.y * zoom },
  });
}

/** Height in pixels that a frame of this width needs to show everything. */
export function heightFor(cy, width) {
  const { w, h } = cy.elements().boundingBox();
  return h * Math.min(LARGEST, (width - 2 * MARGIN) / Math.max(w, 1)) + 2 * MARGIN + BAR;
}

/** Styles for a theme and an orientation. */
export function dress(cy, theme, upright) {
  cy.style(stylesheet(theme, upright));
}
