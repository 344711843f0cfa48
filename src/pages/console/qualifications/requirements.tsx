import { useId } from 'react';
import { Link } from 'wouter';
import { useRead } from '../data.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/fields.tsx';

export interface Qualification {
  readonly id: string;
  readonly name: string;
}

/** As an input takes it. */
export interface Requirement {
  readonly qualificationId: string;
  readonly minLevel: number | null;
}

/** As the service shows it. */
export interface StoredRequirement {
  readonly minLevel: number | null;
  readonly qualification: Qualification | null;
}

export const qualificationsQuery = 'query Qualifications { qualifications { id name } }';

export interface QualificationsData {
  readonly qualifications: readonly Qualification[];
}

export const readRequirements = (stored: readonly StoredRequirement[]): Requirement[] =>
  stored.flatMap(({ qualification, minLevel }) =>
    qualification ? { qualificationId: qualification.id, minLevel } : [],
  );

export const nameRequirements = (stored: readonly StoredRequirement[], { qualifications }: Messages): string =>
  stored
    .map(({ qualification, minLevel }) => {
      const name = qualification?.name ?? '';
      return minLevel === null ? name : qualifications.requirements.atLeast(name, minLevel);
    })
    .join(', ');

interface FieldProps {
  readonly value: readonly Requirement[];
  readonly onChange: (value: readonly Requirement[]) => void;
}

/** A list of qualifications with the lowest level of each. */
export function RequirementsField({ value, onChange }: FieldProps) {
  const { qualifications: texts } = useMessages();
  const adder = useId();
  const { qualifications = [] } = useRead<QualificationsData>(qualificationsQuery).data ?? {};
  const isFree = ({ id }: Qualification) => value.every(({ qualificationId }) => qualificationId !== id);
  const next = qualifications.find(isFree);
  const changeAt = (at: number, change: Partial<Requirement>) =>
    onChange(value.map((each, index) => (index === at ? { ...each, ...change } : each)));
  return (
    <fieldset className="cs-set">
      <legend>{texts.requirements.title}</legend>
      {value.map(({ qualificationId, minLevel }, at) => (
        <div key={qualificationId} className="cs-field-row">
          <SelectField
            label={texts.qualification}
            value={qualificationId}
            options={qualifications
              .filter((each) => each.id === qualificationId || isFree(each))
              .map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(chosen) => changeAt(at, { qualificationId: chosen })}
          />
          <SelectField
            label={texts.requirements.lowest}
            value={String(minLevel ?? 0)}
            options={texts.requirements.lowestLevels.map((label, level) => ({ value: String(level), label }))}
            onChange={(level) => changeAt(at, { minLevel: Number(level) || null })}
          />
          <Button
            look="quiet"
            aria-label={texts.requirements.removeAt(at + 1)}
            onClick={() => {
              onChange(value.toSpliced(at, 1));
              setTimeout(() => document.getElementById(adder)?.focus());
            }}
          >
            <span aria-hidden="true">✕</span>
          </Button>
        </div>
      ))}
      {qualifications.length === 0 ? (
        <p className="cs-hint">
          {texts.noneYet} <Link href="/settings/qualifications">{texts.addThem}</Link>
        </p>
      ) : (
        <div>
          <Button
            id={adder}
            disabled={!next}
            onClick={() => next && onChange([...value, { qualificationId: next.id, minLevel: null }])}
          >
            {texts.requirements.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
