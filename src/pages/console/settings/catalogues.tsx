import {
  CreatePositionDocument,
  CreateQualificationDocument,
  CreateSkillLevelDocument,
  DeletePositionDocument,
  DeleteQualificationDocument,
  DeleteSkillLevelDocument,
  UpdatePositionDocument,
  UpdateQualificationDocument,
  UpdateSkillLevelDocument,
  PositionItemsDocument,
  QualificationItemsDocument,
  SkillLevelsDocument,
  type PayUnit,
  type PositionItemsQuery,
  type QualificationItemsQuery,
  type SkillLevelsQuery,
} from '../../../generated/pages/console/settings.ts';
import { useMinute } from '../../time/clock.ts';
import { useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import type { FieldProps } from '../parts/field.tsx';
import { CheckField, DateField, MoneyField, SelectField, TextField } from '../parts/fields.tsx';
import { Hinted } from '../parts/hinted.tsx';
import { nameRequirements } from '../qualifications/data.ts';
import { readRequirements, RequirementsField, type Requirement } from '../qualifications/requirements.tsx';
import { Catalogue } from '../parts/catalogue.tsx';

/* Positions, skill levels and qualifications: lists of names, to which positions add what an hour costs and what they require. */

export function SkillLevelsSection() {
  const { settings } = useMessages();
  return (
    <Catalogue<SkillLevelsQuery['items'][number], { readonly name: string }, SkillLevelsQuery>
      section="skill-levels"
      texts={settings.catalogues.skillLevels}
      query={SkillLevelsDocument}
      itemsOf={({ items }) => items}
      create={CreateSkillLevelDocument}
      update={UpdateSkillLevelDocument}
      remove={DeleteSkillLevelDocument}
      nameOf={({ name }) => name}
      valuesOf={(item) => ({ name: item?.name ?? '' })}
      renderFields={(field) => <TextField label={settings.name} {...field('name')} />}
    />
  );
}

type Qualification = QualificationItemsQuery['items'][number];

export function QualificationsSection() {
  const { settings, qualifications } = useMessages();
  return (
    <Catalogue<Qualification, Pick<Qualification, 'name' | 'expires'>, QualificationItemsQuery>
      section="qualifications"
      texts={settings.catalogues.qualifications}
      query={QualificationItemsDocument}
      itemsOf={({ items }) => items}
      create={CreateQualificationDocument}
      update={UpdateQualificationDocument}
      remove={DeleteQualificationDocument}
      nameOf={({ name }) => name}
      hintOf={({ expires }) => expires && qualifications.expiring}
      valuesOf={(item) => ({ name: item?.name ?? '', expires: item?.expires ?? false })}
      renderFields={(field) => (
        <>
          <TextField label={settings.name} {...field('name')} />
          <CheckField label={qualifications.expires} {...field('expires')} />
        </>
      )}
    />
  );
}

type Position = PositionItemsQuery['items'][number];

interface Announced {
  /** Day such as `2029-01-01`. */
  readonly from: string;
  readonly payRate: string;
  readonly payUnit: PayUnit;
}

interface Values {
  readonly title: string;
  readonly defaultPayRate: string;
  readonly payUnit: PayUnit;
  readonly billRate: string;
  readonly billUnit: PayUnit;
  readonly announcedRates: readonly Announced[];
  readonly requirements: readonly Requirement[];
}

export function PositionsSection() {
  const messages = useMessages();
  const { settings, qualifications, language } = messages;
  const { catalogues } = settings;
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
  const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const nameRate = (rate: string, unit: PayUnit) => catalogues.rateOf[unit](format.format(Number(rate)));
  const readAnnounced = useAnnounced();
  return (
    <Catalogue<Position, Values, PositionItemsQuery>
      section="positions"
      texts={catalogues.positions}
      query={PositionItemsDocument}
      itemsOf={({ items }) => items}
      create={CreatePositionDocument}
      update={UpdatePositionDocument}
      remove={DeletePositionDocument}
      nameOf={({ title }) => title}
      hintOf={({ requirements }) =>
        requirements.length > 0 && qualifications.requirements.requires(nameRequirements(requirements, messages))
      }
      columns={[
        {
          key: 'rate',
          title: catalogues.rate,
          isNumber: true,
          renderCell: (item) => (
            <Hinted
              hints={readAnnounced(item).map(({ from, payRate, payUnit }) =>
                catalogues.from(dayFormat.format(new Date(from)), nameRate(payRate, payUnit)),
              )}
            >
              {item.defaultPayRate ? nameRate(item.defaultPayRate, item.payUnit) : catalogues.noRate}
            </Hinted>
          ),
        },
        {
          key: 'bill',
          title: catalogues.bill,
          isNumber: true,
          isMinor: true,
          renderCell: ({ billRate, billUnit }) => (billRate ? nameRate(billRate, billUnit) : catalogues.noBill),
        },
      ]}
      valuesOf={(item) => ({
        title: item?.title ?? '',
        defaultPayRate: item?.defaultPayRate ?? '',
        payUnit: item?.payUnit ?? 'HOUR',
        billRate: item?.billRate ?? '',
        billUnit: item?.billUnit ?? 'HOUR',
        announcedRates: readAnnounced(item),
        requirements: readRequirements(item?.requirements ?? []),
      })}
      inputOf={({ announcedRates, requirements, billRate, ...input }, item) => ({
        ...input,
        billRate: billRate || null,
        ...(item && { announcedRates, requirements }),
      })}
      renderFields={(field, { values, change }, item) => (
        <>
          <TextField label={settings.name} {...field('title')} />
          <MoneyField label={catalogues.rate} {...field('defaultPayRate')} />
          <UnitField {...field('payUnit')} />
          <MoneyField label={catalogues.bill} hint={catalogues.billHint} {...field('billRate')} />
          <SelectField label={catalogues.billUnit} options={catalogues.units} {...field('billUnit')} />
          {item && (
            <AnnouncedRates
              rates={values.announcedRates}
              unit={values.payUnit}
              onChange={(announcedRates) => change({ announcedRates })}
            />
          )}
          {item && (
            <RequirementsField value={values.requirements} onChange={(requirements) => change({ requirements })} />
          )}
        </>
      )}
    />
  );
}

function UnitField(field: Pick<FieldProps<PayUnit>, 'value' | 'onChange' | 'error'>) {
  const { catalogues } = useMessages().settings;
  return <SelectField label={catalogues.unit} options={catalogues.units} {...field} />;
}

/** Reads the rates of a position that begin after today, by the clocks of the business. */
function useAnnounced(): (item: Position | null) => readonly Announced[] {
  const { timezone } = useViewer().business;
  const today = new Intl.DateTimeFormat('sv', { timeZone: timezone }).format(useMinute());
  return (item) =>
    (item?.rates ?? [])
      .map(({ start, payRate, payUnit }) => ({ from: start?.local?.slice(0, 10) ?? '', payRate, payUnit }))
      .filter(({ from }) => from > today);
}

interface AnnouncedProps {
  readonly rates: readonly Announced[];
  /** Unit of a new one. */
  readonly unit: PayUnit;
  readonly onChange: (rates: readonly Announced[]) => void;
}

function AnnouncedRates({ rates, unit, onChange }: AnnouncedProps) {
  const { settings } = useMessages();
  const { catalogues } = settings;
  const changeAt = (at: number, change: Partial<Announced>) =>
    onChange(rates.map((rate, index) => (index === at ? { ...rate, ...change } : rate)));
  return (
    <fieldset className="cs-set">
      <legend>{catalogues.announced}</legend>
      {rates.map(({ from, payRate, payUnit }, at) => (
        // Rows have no name of their own.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="cs-field-row">
          <DateField label={catalogues.firstDay} value={from} onChange={(next) => changeAt(at, { from: next })} />
          <MoneyField label={catalogues.rate} value={payRate} onChange={(next) => changeAt(at, { payRate: next })} />
          <UnitField value={payUnit} onChange={(next) => changeAt(at, { payUnit: next })} />
          <Button
            look="quiet"
            aria-label={settings.deleteOf(catalogues.announcedAt(at + 1))}
            onClick={() => {
              onChange(rates.toSpliced(at, 1));
              document.getElementById('announce')?.focus();
            }}
          >
            <span aria-hidden="true">✕</span>
          </Button>
        </div>
      ))}
      <div>
        <Button id="announce" onClick={() => onChange([...rates, { from: '', payRate: '', payUnit: unit }])}>
          {catalogues.announce}
        </Button>
      </div>
    </fieldset>
  );
}
