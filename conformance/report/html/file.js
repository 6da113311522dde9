// The view of one file: its findings, its byte map, its column chunks, its pages.

function notRunTable(told) {
  const rows = (told.not_run ?? []).map(([rowGroup, column, page, what, why]) => [what, placeText(readPlace([rowGroup, column, page]), told.names) || 'the file', why]);
  if (rows.length === 0) return null;
  const more = told.not_run_in_all - rows.length;
  return element('section', {}, element('h3', {}, 'Not checked'), table('Not checked', ['What', 'Where', 'Why'], rows), more > 0 && element('p', { class: 'hint' }, `and ${number(more)} more`));
}

function vanishedTable(told) {
  if (!told.vanished) return null;
  const more = told.vanished_in_all - told.vanished.length;
  return element('section', {}, element('h3', {}, 'Vanished since the baseline'), table('Vanished', ['Rule', 'Column', 'Field'], told.vanished),
    more > 0 && element('p', { class: 'hint' }, `and ${number(more)} more`));
}

/** Links to the neighbours of a file among those that the filters show. */
function neighbours(file) {
  if (FILES.length < 2) return null;
  const files = shownFiles();
  const at = files.indexOf(file);
  const link = (other, text) => other && element('a', { href: `#file-${other.ordinal}` }, text);
  return element('nav', { class: 'controls', 'aria-label': 'Files' },
    element('a', { href: '#' }, 'All files'), link(files[at - 1], 'Previous file'), link(at < 0 ? null : files[at + 1], 'Next file'));
}

/** The byte map, the grid and the pages; `led`: gets what leads there from a finding. */
function pictures(map, told, led) {
  const items = readItems(map);
  const cells = readCells(map);
  const columnName = (leaf) => map.columns[leaf]?.[0] ?? told.names[leaf] ?? (leaf < 0 ? '' : `leaf ${leaf}`);
  const marks = [];
  const byPage = new Map();
  const pageKey = (place) => `${place.rowGroup}/${place.leaf}/${place.page}`;
  for (const cause of told.causes) {
    for (const place of cause.places) {
      const mark = { offset: place.inFile, severity: cause.severity, text: cause.info.id, show: () => led.toCause(cause) };
      marks.push(mark);
      if (place.page >= 0) byPage.set(pageKey(place), [...(byPage.get(pageKey(place)) ?? []), mark]);
      const cell = place.rowGroup >= 0 && place.leaf >= 0 && place.leaf < map.columns.length && cells[Math.floor(place.rowGroup / map.grid.together) * map.columns.length + place.leaf];
      if (!cell) continue;
      cell.findings += place.times;
      cell.worst = cell.worst < 0 ? cause.severity : Math.min(cell.worst, cause.severity);
    }
  }
  const picture = byteMap(map, items, columnName, marks);
  const bringIntoSight = () => picture.view.scrollIntoView({ block: 'nearest' });
  led.toPlace = (place) => {
    picture.show(place.inFile);
    picture.view.querySelector('.map').focus({ preventScroll: true });
    bringIntoSight();
  };
  const views = [picture.view];
  if (cells.length > 0) {
    const pages = pagesSection(map, items, columnName, (item) => byPage.get(pageKey(item)) ?? [], (item) => { picture.show(item.offset); bringIntoSight(); });
    views.push(gridSection(map, cells, (cell) => {
      pages.choose(cell);
      const own = items.filter((item) => item.leaf === cell.leaf && Math.floor(item.rowGroup / map.grid.together) === cell.group && [PAGE_HEADER, PAGE_BODY, PAGES].includes(item.kind));
      if (own.length > 0) picture.zoomTo(own[0].offset, own.at(-1).end);
    }), pages.view);
  }
  return views;
}

function fileView(file) {
  const told = loadFile(file.ordinal);
  const map = stored(`map-${file.ordinal}`);
  const led = { toPlace: null, toCause: null };
  const drawn = map ? pictures(map, told, led) : [];
  const findings = told.causes.length > 0 && findingsSection(told, filter.rule, led.toPlace);
  led.toCause = (cause) => {
    const title = document.getElementById(`cause-${cause.ordinal}`) ?? document.getElementById('findings');
    title.scrollIntoView();
    title.focus({ preventScroll: true });
  };
  const nothing = file.verdict === 'conforming' ? 'No rule is broken.' : 'This page has no room for the findings of this file.';
  return element('div', {},
    neighbours(file),
    element('h2', { tabindex: -1, id: 'title' }, file.name, ' ', badge(file.verdict)),
    facts([
      ['Path', file.path], ['Findings', severityCounts(file.counts)], ['Writer', file.writer],
      ['Size', file.bytes < 0 ? null : file.bytes < 1000 ? counted(file.bytes, 'byte') : `${size(file.bytes)} (${counted(file.bytes, 'byte')})`],
      ['Rows', file.rows < 0 ? null : number(file.rows)], ['Row groups', file.bytes < 0 ? null : number(file.rowGroups)],
      ['Columns', file.bytes < 0 ? null : number(file.columns)], ['Pages', file.bytes < 0 ? null : number(file.pages)],
      ['Values', told.values === undefined ? null : number(told.values)],
      ['Judged by', told.tier && `tier ${told.tier}, profile ${told.profile}`],
      ['Footer ends at', told.footer_at === undefined ? null : `byte ${offsetText(told.footer_at)}`],
      ['Named by', told.named_by],
    ]),
    lossSection(told), nextSection(told),
    findings || element('p', {}, told.causes_in_all === 0 && file.counts.some((count) => count > 0) ? 'This page has no room for the findings of this file.' : nothing),
    stillThereSection(told), vanishedTable(told), notRunTable(told),
    drawn,
    FILES.length === 1 && changesTable(),
    !map && file.bytes >= 0 && element('p', { class: 'hint' }, 'This page has no room for the byte map of this file. ', element('code', {}, 'parqproof check --output html=report.html FILE'),
      ' makes a page for one file alone.'));
}
