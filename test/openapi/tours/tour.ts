/* The tour of the README, as each generated client takes it. */

export const [baseUrl = 'http://127.0.0.1:4000'] = process.argv.slice(2);

export const account = { email: 'admin@aurora.example', password: 'callboard-demo' };

export const newEvent = {
  title: 'Harvest dinner',
  start_time: '2027-10-02 18:00:00',
  end_time: '2027-10-03 00:30:00',
  timezone: 'America/Chicago',
  venue_name: 'The Old Granary',
  city: 'Madison',
};

export const change = { dress_code: 'Black tie', status: 'draft' } as const;

/** An end before the start. */
export const wrongChange = { end_time: '2027-10-02 17:00:00' };

/** Answers that a client has seen. */
export interface Seen {
  readonly listed: readonly { readonly uuid: string; readonly call_times: readonly object[] }[];
  readonly created: { readonly uuid: string; readonly status: string };
  readonly read: { readonly uuid: string; readonly start_time: string };
  readonly updated: { readonly status: string; readonly dress_code: string };
  readonly refused: { readonly status: number; readonly errors: Readonly<Record<string, readonly string[]>> };
}

export function show({ listed, created, read, updated, refused }: Seen): void {
  console.log(
    JSON.stringify({
      listed: listed.length,
      created: created.status,
      read: read.uuid === created.uuid ? read.start_time : null,
      updated: [updated.status, updated.dress_code],
      refused,
    }),
  );
}
