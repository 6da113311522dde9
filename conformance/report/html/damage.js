// What damage has taken away from a file, what is still there, and the commands that save what is whole.

const LOSSES_AT_ONCE = 3;

/** What of the file is lost: where, the rows that lack a value, and what still stands beside it. */
function lossSection(told) {
  if (!told.lost) return null;
  const list = element('ul', { class: 'losses' });
  const more = addRows(list, told.lost, ([where, rows, what]) => element('li', {},
    where && element('strong', {}, where), rows && [' (', element('strong', { class: 'rows' }, rows), ')'], (where || rows) && ': ', what), LOSSES_AT_ONCE, 'losses');
  const unlisted = told.lost_in_all - told.lost.length;
  return element('section', { class: 'damage', 'aria-labelledby': 'lost' }, element('h3', { id: 'lost' }, 'Lost'), element('div', {}, list, more,
    unlisted > 0 && element('p', { class: 'hint' }, `and ${number(unlisted)} more: not listed in this page`)));
}

/** Copies a text. Where the page may not use the clipboard, what shows the text is selected, and the older way is tried. */
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

/** What can be done with the file; the commands are those of the report in text. */
function nextSection(told) {
  return told.next && element('section', { class: 'damage', 'aria-labelledby': 'next' }, element('h3', { id: 'next' }, 'Next'),
    element('ul', { class: 'next' }, told.next.map(commandItem)));
}

function stillThereSection(told) {
  return told.still_there && element('section', { 'aria-labelledby': 'still-there' }, element('h3', { id: 'still-there' }, 'Still there'),
    element('ul', {}, told.still_there.map((sentence) => element('li', {}, sentence))));
}
