import { limits } from '../config/limits.ts';
import { readPlainRows } from '../db/catalogs.ts';
import { mapPlainModels } from '../fields/catalogs.ts';
import { closedObject, optionalFields, visibleText } from '../validation/schemas.ts';
import { createCatalog } from './catalogs.ts';

const newRow = closedObject({ name: visibleText(limits.textChars, { description: 'Name.' }) });
const changes = optionalFields({ name: newRow.properties.name });

export const plainOperations = mapPlainModels((catalog) =>
  createCatalog({
    catalog,
    newRow,
    changes,
    readers: catalog.readers,
    readRows: (db, which) => readPlainRows(db, catalog.model, which),
  }),
);
