/** Kinds of changed rows, parents before the rows that point to them. A custom field value is part of its event. */
export const changeKinds = ['position', 'skillLevel', 'user', 'customField', 'event', 'callTime', 'workShift'] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** Kind of a change, as a caller sees it. `left`: the row still exists, and the caller does not see it any more. */
export type ChangeOp = 'changed' | 'deleted' | 'left';
