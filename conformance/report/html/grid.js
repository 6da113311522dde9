// The column chunks as a grid, columns by row groups, and the pages of the chosen ones.

const COLUMNS_AT_ONCE = 60;
const GROUPS_AT_ONCE = 24;
const SHADES = 6;

/** Encodings in the order of their significance; the first one that a chunk uses gives its colour. */
const BY_SIGNIFICANCE = [8, 2, 5, 6, 7, 9, 10, 1, 0, 3, 4];

/** The cells of the grid; html_map.cpp writes them. A cell is a column chunk, or those of several row groups. */
function readCells(map) {
  const columns = map.columns.length;
  return map.grid.cells.map(([compressed, uncompressed, values, codec, encodings, pages], i) => ({
    compressed, uncompressed, values, codec, encodings, pages,
    group: Math.floor(i / columns), leaf: i % columns, findings: 0, worst: -1,
  }));
}

function codecText(codec) {
  return codec === -2 ? 'several' : codec === -1 ? 'none' : enumText(HEAD.codecs, codec, 'codec');
}

function shortEncoding(name) {
  return name.replace('DICTIONARY', 'DICT').replace('DELTA_', 'D_').replace('BYTE_STREAM_SPLIT', 'SPLIT').replace('BINARY_PACKED', 'PACKED');
}

/** Class and text of a cell for each property that can colour the grid: [class, text]. */
function looks(cells) {
  const sizes = cells.map((cell) => cell.compressed).filter((bytes) => bytes > 0);
  const smallest = Math.log(Math.min(...sizes));
  const span = Math.log(Math.max(...sizes)) - smallest || 1;
  return {
    size: (cell) => [`shade-${cell.compressed > 0 ? Math.round((Math.log(cell.compressed) - smallest) / span * SHADES) : 0}`, size(cell.compressed)],
    encoding: (cell) => {
      const shown = BY_SIGNIFICANCE.find((encoding) => cell.encodings & (1 << encoding));
      return shown === undefined ? ['none', '-'] : [`hue-${BY_SIGNIFICANCE.indexOf(shown)}`, shortEncoding(enumText(HEAD.encodings, shown, ''))];
    },
    codec: (cell) => [cell.codec < 0 ? 'none' : `hue-${cell.codec}`, codecText(cell.codec).replace('UNCOMPRESSED', 'none')],
    findings: (cell) => [cell.findings ? `has-${SEVERITIES[cell.worst]}` : 'none', cell.findings ? number(cell.findings) : ''],
  };
}

/** The row group of a cell, or its range of row groups. */
function groupText(map, group) {
  const first = group * map.grid.together;
  const last = Math.min(map.grid.row_groups, first + map.grid.together) - 1;
  return first === last ? `${first}` : `${first} to ${last}`;
}

/** Buttons for the previous and next part of a long list. */
function pager(what, total, step, first, turn) {
  if (total <= step) return null;
  return element('span', { class: 'pager' }, `${what} ${number(first)} to ${number(Math.min(total, first + step) - 1)} of ${number(total)} `,
    button('Earlier', () => turn(Math.max(0, first - step)), { disabled: first === 0, 'aria-label': `Earlier ${what}` }), ' ',
    button('Later', () => turn(first + step), { disabled: first + step >= total, 'aria-label': `Later ${what}` }));
}

/** `choose(cell)` is called for the clicked cell. */
function gridSection(map, cells, choose) {
  const look = looks(cells);
  const groups = map.grid.rows.length;
  const state = { by: cells.some((cell) => cell.findings) ? 'findings' : 'size', group: 0, column: 0, text: '', flawed: false };
  const holder = element('div');
  const chosen = element('p', { role: 'status' });

  function cellButton(cell) {
    const [className, text] = look[state.by](cell);
    const label = `row group ${groupText(map, cell.group)}, column ${map.columns[cell.leaf][0]}: ${number(cell.compressed)} bytes compressed, ${number(cell.uncompressed)} uncompressed, ` +
      `${counted(cell.values, 'value')}, ${counted(cell.pages, 'page')}, ${codecText(cell.codec)}, ${encodingNames(cell.encodings).join(' ')}, ${counted(cell.findings, 'finding')}`;
    return element('td', { class: `cell ${className}` }, button(text, () => {
      chosen.textContent = label;
      choose(cell);
    }, { 'aria-label': label, title: label }));
  }

  function refresh() {
    const flawed = new Set(cells.filter((cell) => cell.findings).map((cell) => cell.leaf));
    const columns = map.columns.map(([name, type], leaf) => ({ name, type, leaf }))
      .filter(({ name, leaf }) => name.toLowerCase().includes(state.text) && (!state.flawed || flawed.has(leaf)));
    state.column = Math.min(state.column, Math.max(0, columns.length - 1));
    const shownGroups = Array.from({ length: Math.min(GROUPS_AT_ONCE, groups - state.group) }, (_, i) => state.group + i);
    const rows = columns.slice(state.column, state.column + COLUMNS_AT_ONCE).map(({ name, type, leaf }) => element('tr', {},
      element('th', { scope: 'row', title: `${name}: ${enumText(HEAD.types, type, 'type')}` }, name || `leaf ${leaf}`),
      shownGroups.map((group) => cellButton(cells[group * map.columns.length + leaf]))));
    const turn = (key) => (first) => { state[key] = first; refresh(); };
    const pagers = element('p', { class: 'controls' },
      pager('Columns', columns.length, COLUMNS_AT_ONCE, state.column, turn('column')), ' ',
      pager(map.grid.together > 1 ? 'Groups of row groups' : 'Row groups', groups, GROUPS_AT_ONCE, state.group, turn('group')));
    holder.replaceChildren(pagers, element('div', { class: 'scroll' }, element('table', { class: 'grid' },
      element('caption', { class: 'unseen' }, `Column chunks by ${state.by}: a row for each column, a column for each row group`),
      element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'Column'),
        shownGroups.map((group) => element('th', { scope: 'col', title: counted(map.grid.rows[group], 'row') }, `group ${groupText(map, group)}`)))),
      element('tbody', {}, rows))));
  }

  const text = element('input', { type: 'search', id: 'column-search', input: () => { state.text = text.value.trim().toLowerCase(); refresh(); } });
  const flawed = element('input', { type: 'checkbox', id: 'flawed', change: () => { state.flawed = flawed.checked; refresh(); } });
  const view = element('section', { 'aria-labelledby': 'grid-title' },
    element('h3', { id: 'grid-title' }, 'Column chunks'),
    element('p', { class: 'hint' }, `Columns from top to bottom, ${counted(map.grid.row_groups, 'row group')} from left to right. Choose a chunk to see its pages below and its bytes on the map.`),
    element('div', { class: 'controls' },
      choice('Colour by', [['size', 'Size'], ['encoding', 'Encoding'], ['codec', 'Codec'], ['findings', 'Findings']], state.by, (by) => { state.by = by; refresh(); }),
      map.columns.length > 1 && [element('label', { for: 'column-search' }, 'Column '), text],
      cells.some((cell) => cell.findings) && element('span', {}, flawed, element('label', { for: 'flawed' }, ' with findings only'))),
    holder, chosen,
    map.grid.columns > map.columns.length && element('p', { class: 'hint' }, `The first ${number(map.columns.length)} of ${counted(map.grid.columns, 'column')} are shown.`));
  refresh();
  return view;
}

const PAGES_AT_ONCE = 100;

/** The pages of the file. Returns {view, choose(cell)}; choose(null) shows all. */
function pagesSection(map, items, columnName, findingsOf, showItem) {
  const pages = items.filter((item) => item.kind === PAGE_HEADER);
  const together = items.filter((item) => item.kind === PAGES);
  const title = element('p', { role: 'status' });
  const holder = element('div');

  function row(item) {
    const body = items[item.index + 1];
    const stored = body && body.kind === PAGE_BODY && body.page === item.page ? body.length : 0;
    const findings = findingsOf(item);
    return element('tr', { class: findings.length ? 'fault' : null },
      element('td', { class: 'number' }, number(item.rowGroup)),
      element('td', { class: 'text' }, columnName(item.leaf)),
      element('th', { scope: 'row' }, button(`${item.page}`, () => showItem(item), { 'aria-label': `Page ${item.page} on the byte map` })),
      element('td', {}, enumText(HEAD.page_types, item.type, 'type').replace('_PAGE', '')),
      ...[item.offset, item.length, stored, item.uncompressed, item.values].map((value) => element('td', { class: 'number' }, value < 0 ? '' : number(value))),
      element('td', {}, item.encoding < 0 ? '' : enumText(HEAD.encodings, item.encoding, 'encoding')),
      element('td', {}, findings.slice(0, 3).map((finding) => button(finding.text, finding.show, { class: SEVERITIES[finding.severity] })),
        findings.length > 3 && ` and ${number(findings.length - 3)} more`));
  }

  function choose(cell) {
    const isOf = (item) => !cell || (Math.floor(item.rowGroup / map.grid.together) === cell.group && item.leaf === cell.leaf);
    const shown = pages.filter(isOf);
    const hidden = together.filter(isOf).reduce((sum, item) => sum + item.count, 0);
    title.replaceChildren(cell ? `Row group ${groupText(map, cell.group)}, column ${columnName(cell.leaf)}: ` : 'All column chunks: ', counted(shown.length, 'page'),
      hidden ? `; ${number(hidden)} more are not listed one by one` : '', ' ', cell ? button('Show all pages', () => choose(null)) : '');
    const body = element('tbody');
    const more = addRows(body, shown, row, PAGES_AT_ONCE, 'pages');
    const heads = ['Row group', 'Column', 'Page', 'Type', 'At byte', 'Header', 'Body', 'Uncompressed', 'Values', 'Encoding', 'Findings'];
    holder.replaceChildren(...(shown.length ? [element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Pages' }, element('table', { class: 'pages' },
      element('caption', { class: 'unseen' }, 'Pages; sizes are bytes'),
      element('thead', {}, element('tr', {}, heads.map((head) => element('th', { scope: 'col' }, head)))), body)), more] : []));
  }

  choose(null);
  return { choose, view: element('section', { 'aria-labelledby': 'pages-title' }, element('h3', { id: 'pages-title' }, 'Pages'), title, holder) };
}
