// The view of one file: its findings, its byte map, its column chunks, its pages.

function notRunTable(report) {
  const rows = (report.not_run ?? []).map(([rowGroup, column, page, what, why]) => [what, placeText(readPlace([rowGroup, column, page]), report.names) || 'the file', why]);
  if (rows.length === 0) return null;
  const more = report.not_run_in_all - rows.length;
  return element('section', {}, element('h3', {}, 'Not checked'), table('Not checked', ['What', 'Where', 'Why'], rows), more > 0 && element('p', { class: 'hint' }, `and ${number(more)} more`));
}

function vanishedTable(report) {
  if (!report.vanished) return null;
  const more = report.vanished_in_all - report.vanished.length;
  return element('section', {}, element('h3', {}, 'No longer found since the baseline'), table('No longer found', ['Rule', 'Column', 'Field'], report.vanished),
    more > 0 && element('p', { class: 'hint' }, `and ${number(more)} more`));
}

/** Links to the previous and the next file of those that the filters select. */
function neighbours(file) {
  if (FILES.length < 2) return null;
  const files = shownFiles();
  const at = files.indexOf(file);
  const link = (other, text) => other && element('a', { href: `#file-${other.ordinal}` }, text);
  return element('nav', { class: 'controls', 'aria-label': 'Files' },
    element('a', { href: '#' }, 'All files'), link(files[at - 1], 'Previous file'), link(at < 0 ? null : files[at + 1], 'Next file'));
}

/** The byte map, the grid and the pages; sets links.toPlace, which shows a finding on the map. */
function pictures(map, report, links) {
  const items = readItems(map);
  const cells = readCells(map);
  const columnName = (leaf) => map.columns[leaf]?.[0] ?? report.names[leaf] ?? (leaf < 0 ? '' : `leaf ${leaf}`);
  const marks = [];
  const byPage = new Map();
  const pageKey = (place) => `${place.rowGroup}/${place.leaf}/${place.page}`;
  for (const cause of report.causes) {
    for (const place of cause.places) {
      const mark = { offset: place.inFile, severity: cause.severity, text: cause.info.id, show: () => links.toCause(cause) };
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
  links.toPlace = (place) => {
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
  const report = loadFile(file.ordinal);
  const map = stored(`map-${file.ordinal}`);
  const links = { toPlace: null, toCause: null };
  const drawn = map ? pictures(map, report, links) : [];
  const findings = report.causes.length > 0 && findingsSection(report, filter.rule, links.toPlace);
  links.toCause = (cause) => {
    const title = document.getElementById(`cause-${cause.ordinal}`) ?? document.getElementById('findings');
    title.scrollIntoView();
    title.focus({ preventScroll: true });
  };
  const nothing = file.verdict === 'conforming' ? 'No rule is broken.' : 'The findings of this file were left out of this page to limit its size.';
  return element('div', {},
    neighbours(file),
    element('h2', { tabindex: -1, id: 'title' }, file.name, ' ', badge(file.verdict)),
    facts([
      ['Path', file.path], ['Findings', severityCounts(file.counts)], ['Writer', file.writer],
      ['Size', file.bytes < 0 ? null : file.bytes < 1000 ? counted(file.bytes, 'byte') : `${size(file.bytes)} (${counted(file.bytes, 'byte')})`],
      ['Rows', file.rows < 0 ? null : number(file.rows)], ['Row groups', file.bytes < 0 ? null : number(file.rowGroups)],
      ['Columns', file.bytes < 0 ? null : number(file.columns)], ['Pages', file.bytes < 0 ? null : number(file.pages)],
      ['Values', report.values === undefined ? null : number(report.values)],
      ['Checked with', report.tier && `tier ${report.tier}, profile ${report.profile}`],
      ['Footer ends at', report.footer_at === undefined ? null : `byte ${offsetText(report.footer_at)}`],
      ['Named by', report.named_by],
    ]),
    lossSection(report), nextSection(report),
    findings || element('p', {}, report.causes_in_all === 0 && file.counts.some((count) => count > 0) ? 'The findings of this file were left out of this page to limit its size.' : nothing),
    recoverableSection(report), vanishedTable(report), notRunTable(report),
    drawn,
    FILES.length === 1 && changesTable(),
    !map && file.bytes >= 0 && element('p', { class: 'hint' }, 'The byte map of this file was left out of this page to limit its size. ', element('code', {}, 'parqproof check --output html=report.html FILE'),
      ' makes a page for a single file.'));
}
