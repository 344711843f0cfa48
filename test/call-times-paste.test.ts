import { expect, test } from '@jest/globals';
import { copyRow, toChange, toRow, toUndo, withEmptyRow } from '../src/pages/console/event/call-rows.ts';
import type { CallTime, Choices } from '../src/pages/console/model/events.ts';
import { putCells } from '../src/pages/console/event/paste.ts';
import { messages } from '../src/pages/console/messages/en.ts';
import { findByName, newDraft, noCall, readCall, type CallColumn } from '../src/pages/console/event/draft.ts';

/* The table of call times in the console: pasted cells, copies, and what takes a change back. */

const choices: Choices = {
  positions: [{ id: '1', title: 'Server', defaultPayRate: '20.00', payUnit: 'HOUR', billRate: null }],
  skillLevels: [],
  customFieldDefinitions: [],
};
const event = { ...newDraft('2030-05-05', 'UTC'), start: '18:00', end: '23:00' };
const columns: CallColumn[] = ['position', 'staff', 'start', 'end', 'rate', 'unit', 'claims', 'notes'];
const paste = (...cells: string[][]) =>
  putCells(withEmptyRow([]), cells, { from: 0, column: 'position', columns }, choices, messages);
const faultsOf = (draft: object) =>
  Object.keys(readCall({ ...noCall, position: 'Server', ...draft }, event, choices).faults);

test('pasted columns go where their names say, also those that the table does not show, and others are named', () => {
  const { rows, leftOut } = paste(
    ['POSITION', 'Qty', 'date', 'Skill_Level', 'Room', 'Empty', 'Pay', 'Rate'],
    ['Server', '6', '2030-05-06', 'Gold', 'B 12', '', '25', '30'],
  );
  expect(rows[0]!.draft).toEqual({
    ...noCall,
    position: 'Server',
    staff: '6',
    startDay: '2030-05-06',
    skill: 'Gold',
    rate: '25',
  });
  expect(leftOut).toEqual(['Room', 'Rate']);
});

test('cells beyond the last column, or below no name, are named by their text', () => {
  expect(paste(['Server', '6', '17', '23', '25', 'HOUR', 'OPEN', 'note', 'beyond']).leftOut).toEqual(['beyond']);
  expect(paste(['Position', 'Staff', ''], ['Server', '6', 'lost']).leftOut).toEqual(['lost']);
});

test('a row that was to be removed stays when something is pasted into it', () => {
  const row = { ...toRow(callTime, event), isRemoved: true };
  const place = { from: 0, column: 'staff' as const, columns };
  expect(putCells([row], [['7']], place, choices, messages).rows[0]).toMatchObject({
    isRemoved: false,
    draft: { staff: '7' },
  });
});

test('a word that a cell does not know, or a number of another form, is a fault of the cell', () => {
  expect(faultsOf({ unit: 'fortnight', billUnit: 'x', claims: 'perhaps', skill: 'Gold' })).toEqual([
    'skill',
    'unit',
    'billUnit',
    'claims',
  ]);
  for (const staff of ['1.000', '1e3', '0x10', '6 people', '0', '10001'])
    expect([staff, ...faultsOf({ staff })]).toEqual([staff, 'staff']);
  expect(faultsOf({ staff: '10000', unit: 'DAY', claims: 'OPEN' })).toEqual([]);
});

const callTime = {
  ...{ uuid: 'c', version: 3, staffNeeded: 2, startTime: '2030-05-05 18:00:00', endTime: '2030-05-05 23:00:00' },
  ...{ startTimeTbd: false, endTimeTbd: false, notesForStaff: null, dressCode: null, skillLevel: null },
  ...{ position: { id: '1', title: 'Server' }, claims: 'NONE', payUnit: 'HOUR', payRate: '20.00' },
  requirements: [
    { minLevel: 2, qualification: { id: '9', name: 'First aid' } },
    { minLevel: null, qualification: null },
  ],
} as unknown as CallTime;

test('a copied row keeps its requirements, and so does one whose removal is taken back', () => {
  const requirements = [{ qualificationId: '9', minLevel: 2 }];
  const row = toRow(callTime, event);
  expect(toChange(copyRow(row, choices), event, choices)).toMatchObject({ positionId: '1', requirements });
  expect(toUndo({ ...row, isRemoved: true }, callTime, event, choices)).toMatchObject({ requirements });
  expect(toChange({ ...row, draft: { ...row.draft, staff: '3' } }, event, choices)).toEqual({
    ...{ callTimeId: 'c', version: 3, staffNeeded: 3 },
  });
});

test('a position is found whatever the language of the browser', () => {
  expect(findByName([{ title: 'KITCHEN CHIEF' }], 'kitchen chief', ({ title }) => title)).toBeDefined();
});
