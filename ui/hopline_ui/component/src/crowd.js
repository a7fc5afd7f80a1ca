// Places for a crowd: ForceAtlas2 takes a second where fcose takes minutes.

import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

const ROUNDS = 90;
const AGAIN = 30; // rounds when most nodes have their place already

/** Moves every node; `grown` keeps what stood as the start. The same graph gives the same picture. */
export function crowd(cy, grown) {
  const graph = new Graph({ multi: true });
  const dice = random(cy.nodes().length);
  const reach = 40 * Math.sqrt(cy.nodes().length);
  cy.nodes().forEach((node) => {
    const { x, y } = node.position();
    const start = grown && (x || y) ? { x, y } : { x: (dice() - 0.5) * reach, y: (dice() - 0.5) * reach };
    graph.addNode(node.id(), start);
  });
  cy.edges().forEach((edge) => {
    if (edge.isLoop()) return;
    graph.addEdge(edge.source().id(), edge.target().id());
  });
  const settings = { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: true, linLogMode: true, scalingRatio: 12, gravity: 0.8 };
  const places = forceAtlas2(graph, { iterations: grown ? AGAIN : ROUNDS, settings });
  cy.batch(() => cy.nodes().forEach((node) => node.position(places[node.id()])));
}

// A small generator of numbers in [0, 1) that starts the same every time.
function random(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
