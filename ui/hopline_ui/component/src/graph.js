// The drawing itself: data -> a cytoscape instance that is kept while the data changes under it.

import cytoscape from "cytoscape";
import fcose from "cytoscape-fcose";

import { crowd } from "./crowd.js";
import { stylesheet } from "./look.js";
import { positions } from "./place.js";

cytoscape.use(fcose);

const SHORT = 42; // characters of a name that fit under a node
const CROWD = 250; // from here on ForceAtlas2 lays out, and only the best connected nodes carry their name

const cut = (name) => {
  const letters = [...(name || "")];
  return letters.length > SHORT ? `${letters.slice(0, SHORT - 1).join("").trimEnd()}…` : letters.join("");
};

const NAMED = 20; // nodes of a crowd that carry their name
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
    cy.nodes("[?pinned]").lock().addClass("pinned");
    if (data.layout === "force") quieten(cy);
  });
  return before.size > 0;
}

// Texts make poor labels where many stand close; in a crowd nodes are small, and only the path and the best
// connected ones carry their name.
function quieten(cy) {
  const many = cy.nodes().length;
  if (many > FEW) cy.nodes('[kind = "passage"], [kind = "triple"]').not(".spine").addClass("quiet");
  if (many <= CROWD) return;
  const ranked = cy.nodes().sort((a, b) => b.degree(false) - a.degree(false));
  ranked.not(".spine").addClass("small");
  ranked.slice(0, NAMED).removeClass("quiet").addClass("known");
  ranked.slice(NAMED).not(".spine").addClass("quiet");
}

/** Lays the drawing out and fits it into its frame. */
export function arrange(cy, data, upright, grown) {
  if (data.layout !== "force") {
    cy.layout({ name: "preset", positions: positions(data.nodes, data.edges, data.path, upright), fit: false }).run();
    fit(cy);
    return;
  }
  if (cy.nodes().length > CROWD) crowd(cy, grown);
  else cy.layout({ name: "fcose", randomize: !grown, animate: false, fit: false, idealEdgeLength: 70, nodeSeparation: 80 }).run();
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
