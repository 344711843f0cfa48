import { mapPlainModels } from '../fields/catalogs.ts';
import { plainTypes } from '../model/catalogs-plain.ts';
import { plainOperations } from '../services/catalogs-plain.ts';
import { createCatalogResolver } from './catalogs.ts';

export const plainResolvers = Object.values(
  mapPlainModels(({ model, aNoun, flags }) => {
    const { Row, Input } = plainTypes[model];
    return createCatalogResolver(
      plainOperations[model],
      { row: Row, newRow: Input, changes: Input },
      flags
        ? { update: `Changes ${aNoun}: only the given fields. For admins.`, input: 'The changes.' }
        : { update: `Renames ${aNoun}. For admins.`, input: 'The new name.' },
    );
  }),
);
