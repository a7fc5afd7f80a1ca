// Where the nodes of an evidence path stand: pure, no drawing.
//
// The path is a row. Beneath each of its nodes hang the passage, page and document that back it,
// one lane a kind, so that pages line up with pages; context stands above. In a narrow frame the
// same grid is turned: the path is a column and its sources stand to the right.

const LANE = { entity: 1, triple: 1, passage: 1, table: 1, page: 2, document: 3, collection: 4 };
const ROOM = 0.94; // least distance of two neighbours in one lane, in columns

/** id -> {column, row}: row 0 is the path, rows below are 1…, context is negative. */
export function grid(nodes, edges, path) {
  const known = new Set(nodes.map((node) => node.id));
  const spine = path.filter((id, index) => known.has(id) && path.indexOf(id) === index);
  const cells = new Map(spine.map((id, column) => [id, { column, row: 0 }]));
  const others = nodes.filter((node) => !cells.has(node.id));
  const columns = columnsOf(spine, others, edges);
  const lanes = new Map();
  for (const node of others) {
    const row = node.role === "context" ? -1 : (LANE[node.kind] ?? 1);
    lanes.set(row, [...(lanes.get(row) ?? []), { id: node.id, column: columns.get(node.id) }]);
  }
  const below = [...lanes.keys()].filter((row) => row > 0).sort((a, b) => a - b);
  for (const [row, lane] of lanes) {
    spread(lane);
    for (const { id, column } of lane) cells.set(id, { column, row: row < 0 ? row : below.indexOf(row) + 1 });
  }
  return cells;
}

// Nodes reached from the path one step at a time; each stands under the mean of what reached it.
function columnsOf(spine, others, edges) {
  const columns = new Map(spine.map((id, column) => [id, column]));
  const neighbours = new Map();
  for (const { source, target } of edges) {
    neighbours.set(source, [...(neighbours.get(source) ?? []), target]);
    neighbours.set(target, [...(neighbours.get(target) ?? []), source]);
  }
  let waiting = others.map((node) => node.id);
  while (waiting.length) {
    const reached = waiting
      .map((id) => [id, (neighbours.get(id) ?? []).filter((next) => columns.has(next)).map((next) => columns.get(next))])
      .filter(([, from]) => from.length);
    for (const [id, from] of reached) columns.set(id, from.reduce((sum, column) => sum + column, 0) / from.length);
    waiting = waiting.filter((id) => !columns.has(id));
    if (!reached.length) {
      const end = Math.max(-1, ...columns.values()) + 1; // nothing of the path leads there: stand at its end
      waiting.forEach((id, index) => columns.set(id, end + index));
      waiting = [];
    }
  }
  return columns;
}

// Pushes the nodes of one lane apart, keeping their order and each crowd's middle.
function spread(lane) {
  lane.sort((a, b) => a.column - b.column);
  let crowds = lane.map((cell) => ({ cells: [cell], middle: cell.column }));
  for (let merged = true; merged; ) {
    merged = false;
    for (let i = 0; i + 1 < crowds.length; i += 1) {
      const [left, right] = [crowds[i], crowds[i + 1]];
      const room = ((left.cells.length + right.cells.length) / 2) * ROOM;
      if (right.middle - left.middle >= room - 1e-9) continue;
      const cells = [...left.cells, ...right.cells];
      const middle = (left.middle * left.cells.length + right.middle * right.cells.length) / cells.length;
      crowds.splice(i, 2, { cells, middle });
      merged = true;
      break;
    }
  }
  for (const { cells, middle } of crowds) {
    cells.forEach((cell, index) => {
      cell.column = middle + (index - (cells.length - 1) / 2) * ROOM;
    });
  }
}

const ACROSS = { column: 112, row: 84 };
const UPRIGHT = { column: 72, row: 98 };

/** Pixel positions for cytoscape's preset layout. */
export function positions(nodes, edges, path, upright) {
  const step = upright ? UPRIGHT : ACROSS;
  return Object.fromEntries(
    [...grid(nodes, edges, path)].map(([id, { column, row }]) => {
      const along = column * step.column;
      const down = row * step.row;
      return [id, upright ? { x: down, y: along } : { x: along, y: down }];
    }),
  );
}
