import { CreatePositionInput, Position, UpdatePositionInput } from '../model/positions.ts';
import { positions } from '../services/positions.ts';
import { createCatalogResolver } from './catalogs.ts';

export const PositionResolver = createCatalogResolver(
  positions,
  { row: Position, newRow: CreatePositionInput, changes: UpdatePositionInput },
  { update: 'Changes a position: only the given fields. For admins.', input: 'The changes.' },
);
