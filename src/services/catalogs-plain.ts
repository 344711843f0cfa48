import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { readPlainRows } from '../db/catalogs.ts';
import { mapFlags, mapPlainModels } from '../fields/catalogs.ts';
import { closedObject, optionalFields, visibleText } from '../validation/schemas.ts';
import { createCatalog } from './catalogs.ts';

const name = visibleText(limits.textChars, {
  description: 'Name, unique in the business. One that is taken is refused with `CONFLICT`.',
});

export const plainOperations = mapPlainModels((catalog) => {
  const inputs = {
    name,
    ...mapFlags(catalog.flags, (description) =>
      Type.Optional(Type.Boolean({ description: `${description} False unless a new one says otherwise.` })),
    ),
  };
  return createCatalog({
    catalog,
    newRow: closedObject(inputs),
    changes: optionalFields(inputs),
    readers: catalog.readers,
    readRows: (db, which) => readPlainRows(db, catalog.model, which),
  });
});
