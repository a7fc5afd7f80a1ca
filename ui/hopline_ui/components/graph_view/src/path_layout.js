// Layout of an evidence path. Pure functions.
//
// The path is a row. Below each of its nodes are its passage, page and document, one lane per kind, so that pages line
// up with pages; context is above. In a narrow frame the grid is transposed: the path is a column, its sources are to
// the right.

const LANE = { entity: 1, triple: 1, passage: 1, table: 1, figure: 1, page: 2, document: 3, collection: 4 };
const MIN_DISTANCE = 0.94; // of two neighbours in one lane, in columns

/** Return id -> {column, row}: row 0 is the path, rows below are 1…, context is negative. */
export function computeGrid(nodes, edges, path) {
  const known = new Set(nodes.map((node) => node.id));
  const spine = path.filter((id, index) => known.has(id) && path.indexOf(id) === index);
  const cells = new Map(spine.map((id, column) => [id, { column, row: 0 }]));
  const others = nodes.filter((node) => !cells.has(node.id));
  const columns = computeColumns(spine, others, edges);
  const lanes = new Map();
  for (const node of others) {
    const row = node.role === "context" ? -1 : (LANE[node.kind] ?? 1);
    lanes.set(row, [...(lanes.get(row) ?? []), { id: node.id, column: columns.get(node.id) }]);
  }
  const below = [...lanes.keys()].filter((row) => row > 0).sort((a, b) => a - b);
  for (const [row, lane] of lanes) {
    spreadLane(lane);
    for (const { id, column } of lane) cells.set(id, { column, row: row < 0 ? row : below.indexOf(row) + 1 });
  }
  return cells;
}

// Breadth-first search from the path; each node is placed at the mean column of its placed neighbours.
function computeColumns(spine, others, edges) {
  const columns = new Map(spine.map((id, column) => [id, column]));
  const neighbours = new Map();
  for (const { source, target } of edges) {
    neighbours.set(source, [...(neighbours.get(source) ?? []), target]);
    neighbours.set(target, [...(neighbours.get(target) ?? []), source]);
  }
  let pending = others.map((node) => node.id);
  while (pending.length) {
    const reached = pending
      .map((id) => [id, (neighbours.get(id) ?? []).filter((next) => columns.has(next)).map((next) => columns.get(next))])
      .filter(([, from]) => from.length);
    for (const [id, from] of reached) columns.set(id, from.reduce((sum, column) => sum + column, 0) / from.length);
    pending = pending.filter((id) => !columns.has(id));
    if (!reached.length) {
      const end = Math.max(-1, ...columns.values()) + 1; // not connected to the path: placed behind its end
      pending.forEach((id, index) => columns.set(id, end + index));
      pending = [];
    }
  }
  return columns;
}

// Move the nodes of one lane apart, keeping their order and the mean of each cluster.
function spreadLane(lane) {
  lane.sort((a, b) => a.column - b.column);
  let clusters = lane.map((cell) => ({ cells: [cell], centre: cell.column }));
  for (let merged = true; merged; ) {
    merged = false;
    for (let i = 0; i + 1 < clusters.length; i += 1) {
      const [left, right] = [clusters[i], clusters[i + 1]];
      const distance = ((left.cells.length + right.cells.length) / 2) * MIN_DISTANCE;
      if (right.centre - left.centre >= distance - 1e-9) continue;
      const cells = [...left.cells, ...right.cells];
      const centre = (left.centre * left.cells.length + right.centre * right.cells.length) / cells.length;
      clusters.splice(i, 2, { cells, centre });
      merged = true;
      break;
    }
  }
  for (const { cells, centre } of clusters) {
    cells.forEach((cell, index) => {
      cell.column = centre + (index - (cells.length - 1) / 2) * MIN_DISTANCE;
    });
  }
}

const HORIZONTAL = { column: 112, row: 84 };
const VERTICAL = { column: 72, row: 98 };

/** Compute pixel positions for cytoscape's preset layout. */
export function computePositions(nodes, edges, path, vertical) {
  const step = vertical ? VERTICAL : HORIZONTAL;
  return Object.fromEntries(
    [...computeGrid(nodes, edges, path)].map(([id, { column, row }]) => {
      const along = column * step.column;
      const down = row * step.row;
      return [id, vertical ? { x: down, y: along } : { x: along, y: down }];
    }),
  );
}
