import Type from 'typebox';
import { mapFlags, mapPlainKinds, type PlainRow } from '../fields/catalogs.ts';
import { plainOperations } from '../services/catalogs-plain.ts';
import { catalogRoutes } from './catalogs.ts';
import { textSchema, versionSchema } from './formats.ts';
import { viewOf } from './views.ts';

export const plainViews = mapPlainKinds(({ model, noun, flags }) =>
  viewOf<PlainRow>(model)({
    id: Type.Integer({ description: `${noun.charAt(0).toUpperCase() + noun.slice(1)} id.` }),
    name: textSchema('Name, unique in the business.'),
    ...mapFlags(flags, (description) => Type.Boolean({ description })),
    version: versionSchema,
  }),
);

export const plainRoutes = Object.values(
  mapPlainKinds(({ model, one, aNoun, flags }) =>
    catalogRoutes({
      operations: plainOperations[model],
      view: plainViews[one],
      update: { summary: `${flags ? 'Change' : 'Rename'} ${aNoun}` },
    }),
  ),
);
