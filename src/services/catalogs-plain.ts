import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { readPlainRows } from '../db/catalogs.ts';
import { mapPlainModels } from '../fields/catalogs.ts';
import { closed, visibleText } from '../validation/schemas.ts';
import { createCatalog } from './catalogs.ts';

const newRow = Type.Object({ name: visibleText(limits.textChars, { description: 'Name.' }) }, closed);
const changes = Type.Object({ name: Type.Optional(newRow.properties.name) }, closed);

export const plainOperations = mapPlainModels((catalog) =>
  createCatalog({
    catalog,
    newRow,
    changes,
    readers: catalog.readers,
    readRows: (db, which) => readPlainRows(db, catalog.model, which),
  }),
);
