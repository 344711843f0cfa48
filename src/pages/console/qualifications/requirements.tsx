import { QualificationsDocument } from '../../../generated/pages/console/qualifications.ts';
import { Link } from 'wouter';
import { useRead } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { SelectField } from '../parts/fields.tsx';
import '../parts/catalogue.css';
import type { StoredRequirement } from './data.ts';

/** As an input takes it. */
export interface Requirement {
  readonly qualificationId: string;
  readonly minLevel: number | null;
}

export const readRequirements = (stored: readonly StoredRequirement[]): Requirement[] =>
  stored.flatMap(({ qualification, minLevel }) =>
    qualification ? { qualificationId: qualification.id, minLevel } : [],
  );

interface FieldProps {
  readonly value: readonly Requirement[];
  readonly onChange: (value: readonly Requirement[]) => void;
}

/** Says of each qualification whether it is required, and in which level at least. */
export function RequirementsField({ value, onChange }: FieldProps) {
  const { qualifications: texts } = useMessages();
  const { qualifications } = useRead(QualificationsDocument).data ?? {};
  const choiceOf = (id: string) => {
    const required = value.find(({ qualificationId }) => qualificationId === id);
    return required ? (required.minLevel ?? 0) + 1 : 0;
  };
  const choose = (id: string, choice: number) => {
    const others = value.filter(({ qualificationId }) => qualificationId !== id);
    onChange(choice === 0 ? others : [...others, { qualificationId: id, minLevel: choice - 1 || null }]);
  };
  return (
    <fieldset className="cs-set">
      <legend>{texts.requirements.title}</legend>
      {qualifications?.map(({ id, name }) => (
        <SelectField
          key={id}
          label={name}
          value={String(choiceOf(id))}
          options={new Map(texts.requirements.choices.map((label, at) => [String(at), label]))}
          onChange={(choice) => choose(id, Number(choice))}
        />
      ))}
      {qualifications?.length === 0 && (
        <p className="cs-hint">
          {texts.noneYet} <Link href="/settings/qualifications">{texts.addThem}</Link>
        </p>
      )}
    </fieldset>
  );
}
