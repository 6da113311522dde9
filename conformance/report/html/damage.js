// Losses of a file, its readable parts, and the commands that recover them.

const LOSSES_AT_ONCE = 3;

/** Losses of the file: their places, the rows that lack a value, and what is intact. */
function lossSection(report) {
  if (!report.lost) return null;
  const list = element('ul', { class: 'losses' });
  const more = addRows(list, report.lost, ([where, rows, what]) => element('li', {},
    where && element('strong', {}, where), rows && [' (', element('strong', { class: 'rows' }, rows), ')'], (where || rows) && ': ', what), LOSSES_AT_ONCE, 'losses');
  const unlisted = report.lost_in_all - report.lost.length;
  return element('section', { class: 'damage', 'aria-labelledby': 'lost' }, element('h3', { id: 'lost' }, 'Lost'), element('div', {}, list, more,
    unlisted > 0 && element('p', { class: 'hint' }, `and ${number(unlisted)} more: not listed in this page`)));
}

/** Copies a text. Without access to the clipboard, selects the element with the text and tries execCommand. */
async function copied(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(shown);
    return document.execCommand('copy');
  }
}

function commandItem([what, command]) {
  const code = element('code', {}, command);
  const status = element('span', { role: 'status', class: 'hint' });
  const copy = button('Copy', async () => {
    status.textContent = await copied(command, code) ? 'Copied' : 'Selected: copy it with the keyboard';
  }, { class: 'control', 'aria-label': `Copy the command: ${what}` });
  return element('li', {}, element('p', {}, `${what}:`), element('div', { class: 'command' }, element('pre', {}, code), copy, status));
}

/** Next steps for the file; the commands are those of the text report. */
function nextSection(report) {
  return report.next && element('section', { class: 'damage', 'aria-labelledby': 'next' }, element('h3', { id: 'next' }, 'Next'),
    element('ul', { class: 'next' }, report.next.map(commandItem)));
}

function recoverableSection(report) {
  return report.still_there && element('section', { 'aria-labelledby': 'recoverable' }, element('h3', { id: 'recoverable' }, 'Recoverable'),
    element('ul', {}, report.still_there.map((sentence) => element('li', {}, sentence))));
}
