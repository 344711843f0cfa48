import { isDeepStrictEqual } from 'node:util';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { countValues, replaceValues, type CustomFieldRow } from '../db/custom-field-definitions.ts';
import { countEventsAboveChars } from '../db/custom-field-values.ts';
import { Failure, invalid, type FieldErrors } from '../errors.ts';
import type { CustomFieldType } from '../generated/prisma/enums.ts';
import { hasTwins } from '../validation/text-forms.ts';
import { withinChars } from './custom-field-values.ts';

/** A select has options, the other types have none. */
/** `stored`: the options that the field has. Those stay as they are, also where two of them are alike. */
export function optionErrors(
  type: CustomFieldType,
  options: readonly string[],
  stored: readonly string[] = [],
): FieldErrors {
  if (hasTwins(options) && !isDeepStrictEqual(options, stored))
    return { options: ['must not have the same item twice'] };
  if (type === 'select') return options.length > 0 ? {} : { options: ['must have at least 1 item in a select'] };
  return options.length > 0 ? { options: ['must be empty where the field is no select'] } : {};
}

export interface OptionChange {
  readonly options: readonly string[];
  readonly replaceOptions?: readonly { from: string; to: string }[] | undefined;
  readonly dropValues?: boolean | undefined;
}

/**
 * Collects the errors of the replacements. Each must lead from an option of the field to one of the new list. All are made at once, so
 * an option can get the name that another one loses.
 */
export function replacementErrors(
  field: Pick<CustomFieldRow, 'options'>,
  { options, replaceOptions = [] }: OptionChange,
): FieldErrors {
  const known = new Set(field.options);
  return Object.fromEntries(
    replaceOptions.flatMap(({ from, to }, index): [string, string[]][] => [
      // An option can be replaced only once.
      ...(known.delete(from)
        ? []
        : [pair(`replaceOptions.${index}.from`, 'must be an option of the field, named once')]),
      ...(options.includes(to) ? [] : [pair(`replaceOptions.${index}.to`, 'must be one of the new options')]),
    ]),
  );
}

const pair = (field: string, text: string): [string, string[]] => [field, [text]];

/**
 * Makes stored values fit the new options: replaces or deletes them. The change is refused if it removes an option in
 * use and says neither.
 */
export async function changeOptions(
  { db }: Scope,
  field: CustomFieldRow,
  { options, replaceOptions = [], dropValues = false }: OptionChange,
): Promise<void> {
  const replaced = new Set(replaceOptions.map(({ from }) => from));
  const vanishing = field.options.filter((option) => !options.includes(option) && !replaced.has(option));
  if (dropValues) {
    await db.customFieldValue.deleteMany({ where: { customFieldId: field.id, value: { in: vanishing } } });
  } else if (vanishing.length > 0) {
    const counts = await countValues(db, field.id, vanishing);
    const inUse = [...counts].map(([option, events]) => ({ option, events }));
    if (inUse.length > 0)
      throw new Failure('CONFLICT', `Options are in use: ${inUse.map(printUse).join(', ')}.`, {
        errors: { options: ['must keep the options in use, unless they are replaced or their values are dropped'] },
        details: { inUse },
      });
  }
  if (replaceOptions.length === 0) return;
  await replaceValues(db, field.id, replaceOptions);
  if (!replaceOptions.some(({ from, to }) => to.length > from.length)) return;
  const events = await countEventsAboveChars(db, field.id, limits.customValuesChars);
  if (events > 0)
    throw invalid({
      replaceOptions: [`must leave the values of each event ${withinChars}; ${events} would have more`],
    });
}

const printUse = ({ option, events }: { option: string; events: number }) => `${JSON.stringify(option)} on ${events}`;
