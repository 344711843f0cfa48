import type { MailKind } from '../generated/prisma/enums.ts';

/** Kinds of mail that a person can switch off. */
export const switchableKinds = ['offer', 'reminder', 'change', 'swap'] as const satisfies readonly MailKind[];
export type SwitchableKind = (typeof switchableKinds)[number];
