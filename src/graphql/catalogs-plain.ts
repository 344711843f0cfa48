import { mapPlainModels } from '../fields/catalogs.ts';
import { plainTypes } from '../model/catalogs-plain.ts';
import { plainOperations } from '../services/catalogs-plain.ts';
import { createCatalogResolver } from './catalogs.ts';
import { InputType } from 'type-graphql';
import { inputFrom } from '../model/input-from.ts';

export const plainResolvers = Object.values(
  mapPlainModels(({ model, aNoun, flags }) => {
    @InputType(`${model}Input`, { description: `${aNoun.replace('a', 'A')}, new or renamed. A new one needs a name.` })
    class Input extends inputFrom(plainOperations[model].changes) {}

    return createCatalogResolver(
      plainOperations[model],
      { row: plainTypes[model], newRow: Input, changes: Input },
      flags
        ? { update: `Changes ${aNoun}: only the given fields. For admins.`, input: 'The changes.' }
        : { update: `Renames ${aNoun}. For admins.`, input: 'The new name.' },
    );
  }),
);
