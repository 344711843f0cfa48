import { expect, test } from '@jest/globals';
import { resultColumns, selectResult } from '../src/db/fields.ts';
import { sumsOf } from '../src/db/reports.ts';
import { fieldList, shown } from '../src/fields/field-list.ts';
import { viewOfList } from '../src/rest/shapes.ts';

const list = fieldList({
  openShifts: shown.integer('Open shifts.'),
  paidHours: shown.hours('Paid hours.'),
  reason: shown.text.orNull('The reason; null for none.'),
  startsAt: shown.instant.orNull('Start, UTC; null: to be determined.'),
});

test('SQL selects each field of a result under its name, in the order of the list', () => {
  const columns = resultColumns(list, (name, kind) => `t.${kind}_${name}`);
  expect(selectResult(list, { ...columns, reason: 'NULL' }).sql).toBe(
    't.integer_openShifts AS "openShifts", t.hours_paidHours AS "paidHours", NULL AS "reason", t.instant_startsAt AS "startsAt"',
  );
});

test('a report sums up its figures by their kinds, and others as they are given', () => {
  const { openShifts, paidHours } = list;
  const { ofGroup, ofGroups } = sumsOf({ openShifts, paidHours }, { openShifts: 'count(*)' });
  expect(ofGroup.sql).toBe('sum("openShifts") AS "openShifts", sum("paidHours") AS "paidHours"');
  expect(ofGroups.sql).toBe(
    'count(*) AS "openShifts", round(coalesce(sum("paidHours"), 0) / 3600.0, 2)::float8 AS "paidHours"',
  );
});

test('a view of a list spells nulls and instants as it is told, and leaves out what it is told', () => {
  const row = { openShifts: 2, paidHours: 1.5, reason: null, startsAt: new Date('2030-01-31T10:00:00Z') };
  const view = viewOfList('Example', list);
  expect(view.serialize(row)).toEqual({
    open_shifts: 2,
    paid_hours: 1.5,
    reason: null,
    starts_at: '2030-01-31T10:00:00.000Z',
  });
  expect(view.schema.properties).toMatchObject({
    reason: { type: ['string', 'null'] },
    paid_hours: { type: 'number' },
  });
  expect(viewOfList('Example', list, { nulls: 'anyOf' }).schema.properties).toMatchObject({
    reason: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'The reason; null for none.' },
  });
});
