import { Position } from '../model/positions.ts';
import { positions, announcedRate } from '../services/positions.ts';
import { createCatalogResolver } from './catalogs.ts';
import { InputType } from 'type-graphql';
import { inputFrom } from '../model/input-from.ts';
import { innerInputs } from './inner-inputs.ts';

@InputType({ description: 'A new position.' })
class CreatePositionInput extends inputFrom(positions.newRow) {}

@InputType({ description: 'A rate that is to hold from a later day on.' })
class AnnouncedRateInput extends inputFrom(announcedRate) {}

@InputType({ description: 'Changes to a position: only the given fields change.' })
class UpdatePositionInput extends inputFrom(positions.changes, {
  ...innerInputs,
  announcedRates: AnnouncedRateInput,
}) {}

export const PositionResolver = createCatalogResolver(
  positions,
  { row: Position, newRow: CreatePositionInput, changes: UpdatePositionInput },
  { update: 'Changes a position: only the given fields. For admins.', input: 'The changes.' },
);
