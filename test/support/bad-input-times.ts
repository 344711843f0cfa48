import { expect } from '@jest/globals';
import {
  created,
  given,
  newEvent,
  invalidFields,
  type BadInput,
  type Case,
  type Scene,
  type Verdict,
} from './bad-input.ts';
import { written } from './wire.ts';

export const post = ({ tenant: { as } }: Scene, fields: object) =>
  written('POST', '/v1/events', { as: as.admin, body: { ...newEvent, ...fields } });
export const put = ({ tenant: { as } }: Scene, uuid: string, fields: object) =>
  written('PUT', `/v1/events/${uuid}`, { as: as.admin, body: fields });

/** A create and a change with each of the values. */
export const refusing = (
  scene: Scene,
  name: string,
  values: readonly unknown[],
  verdict: Verdict = invalidFields(name),
): Case[] =>
  values.flatMap((value) => [
    given(verdict, post(scene, { [name]: value })),
    given(verdict, put(scene, scene.event.uuid, { [name]: value })),
  ]);

/** Accepted, and given back as sent. */
export const keeping = (scene: Scene, fields: object, answered: object = fields): Case =>
  given(created, post(scene, fields), ({ body: { data } }) => expect(data).toMatchObject(answered));

export const times: readonly BadInput[] = [
  {
    title: 'end <= start',
    cases: (scene) => [
      ...['2026-12-31 18:00:00', '2026-12-31 17:59:59', '1970-01-01 00:00:00'].map((end_time) =>
        given(invalidFields('end_time'), post(scene, { end_time })),
      ),
      given(
        invalidFields('end_time'),
        put(scene, scene.event.uuid, { start_time: '2027-01-01 00:00:00', end_time: '2027-01-01 00:00:00' }),
      ),
    ],
  },
  {
    title: '2026-02-30, 24:00:00, :60',
    cases: (scene) =>
      ['start_time', 'end_time'].flatMap((name) =>
        refusing(scene, name, [
          '2026-02-30 10:00:00',
          '2026-12-31 24:00:00',
          '2026-12-31 10:00:60',
          '2026-13-01 10:00:00',
          '2026-00-01 10:00:00',
          '2025-02-29 10:00:00',
          '1969-12-31 23:59:59',
          '3000-01-01 00:00:00',
          '0000-00-00 00:00:00',
        ]),
      ),
  },
  {
    title: 'ISO T/Z, ms, Arabic digits',
    cases: (scene) =>
      refusing(scene, 'start_time', [
        '2026-12-31T18:00:00',
        '2026-12-31 18:00:00Z',
        '2026-12-31 18:00:00.000',
        '2026-12-31 18:00:00+01:00',
        '٢٠٢٦-١٢-٣١ ١٨:٠٠:٠٠',
        ' 2026-12-31 18:00:00',
        '2026-12-31 18:00:00\n',
        '2026-12-31',
        'now',
        'infinity',
        '',
      ]),
  },
  {
    title: 'tz "Foo/Bar", "", "+05:00"',
    cases: (scene) =>
      refusing(scene, 'timezone', [
        'Foo/Bar',
        '',
        '+05:00',
        '-08:00',
        'UTC+1',
        'Z',
        'local',
        '../etc/passwd',
        'America/New_York\n',
        ' UTC',
        'x'.repeat(5000),
      ]),
  },
  {
    title: 'tz america/new_york',
    cases: (scene) => refusing(scene, 'timezone', ['america/new_york', 'AMERICA/NEW_YORK', 'utc', 'asia/kolkata']),
  },
  {
    title: 'Asia/Kolkata, Europe/Kyiv',
    cases: (scene) =>
      ['Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv', 'Europe/Kiev', 'US/Eastern', 'UTC'].map((timezone) =>
        keeping(scene, { timezone }),
      ),
  },
  {
    title: 'DST gap 2026-03-08 02:30 New_York',
    cases: (scene) => [
      given(invalidFields('start_time'), post(scene, { start_time: '2026-03-08 02:30:00' }), ({ body }) =>
        expect(body.errors.start_time[0]).toContain('2026-03-08 03:00:00'),
      ),
      given(invalidFields('start_time'), put(scene, scene.event.uuid, { start_time: '2026-03-08 02:30:00' })),
      given(
        invalidFields('end_time'),
        post(scene, { start_time: '2026-03-07 10:00:00', end_time: '2026-03-08 02:00:00' }),
      ),
    ],
  },
  {
    title: 'DST overlap 2026-11-01 01:30',
    cases: (scene) => [
      given(
        created,
        post(scene, { start_time: '2026-11-01 01:30:00', end_time: '2026-11-01 03:00:00' }),
        async ({ body: { data } }) => {
          expect(data.start_time).toBe('2026-11-01 01:30:00');
          const stored = await scene.service.prisma.event.findFirstOrThrow({ where: { uuid: data.uuid } });
          expect(stored.startsAt).toEqual(new Date('2026-11-01T05:30:00Z'));
        },
      ),
    ],
  },
];
