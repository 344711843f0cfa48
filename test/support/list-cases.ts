/** Query strings that a list refuses, each with the field to blame. */
export const badPaging: [query: string, field: string][] = [
  ...[
    '0',
    '-1',
    'abc',
    '1.5',
    '1.0',
    '',
    '1e2',
    '2147483648',
    '99999999999999999999',
    '0x1',
    '%2B1',
    '%201',
    '٣',
  ].flatMap((value): [string, string][] => [
    [`page=${value}`, 'page'],
    [`per_page=${value}`, 'per_page'],
  ]),
  ['per_page=101', 'per_page'],
  ['page', 'page'],
  ['page[]=3', 'page'],
  ['page%5B%5D=3', 'page'],
  ['page[a]=3', 'page'],
  ['page=1&page=1', 'page'],
  ['per_page=1&per_page[]=1', 'per_page'],
];

export const badFilters: [query: string, field: string][] = [
  ...['bogus', 'ACTIVE', '', 'active,draft', 'all', '%00'].map((value): [string, string] => [
    `status=${value}`,
    'status',
  ]),
  ['status=active&status=draft', 'status'],
  ['status[]=active', 'status'],
  ...['ASC', 'up', '', '1'].map((value): [string, string] => [`sort_order=${value}`, 'sort_order']),
  ['sort_order=asc&sort_order=desc', 'sort_order'],
];

/** Query keys that lists do not know and must ignore. */
export const unknownKeys = 'color=red&perPage=0&Page=0&page_=0&constructor=1&toString=2&__proto__=3&=4&status2=x';
