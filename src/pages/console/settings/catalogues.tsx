import { useState } from 'react';
import { useMinute } from '../../board/clock.ts';
import { useRead, useViewer, useWrite } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DateField, MoneyField, SelectField, TextField } from '../parts/fields.tsx';
import { Form, useDraft } from '../parts/form.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { showToast } from '../parts/toast.tsx';
import { RemoveDialog } from './remove.tsx';

/* Positions and skill levels: lists of names, to which positions add what an hour, a day or a shift costs. */

interface Item {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly defaultPayRate?: string | null;
  readonly payUnit?: PayUnit;
  readonly rates?: readonly Rate[];
}

interface Rate {
  /** Null for the first one. */
  readonly start: { readonly local: string } | null;
  readonly payRate: string;
  readonly payUnit: PayUnit;
}

const payUnits = ['HOUR', 'DAY', 'FLAT'] as const;
type PayUnit = (typeof payUnits)[number];

interface Announced {
  /** Day such as `2029-01-01`. */
  readonly from: string;
  readonly payRate: string;
  readonly payUnit: PayUnit;
}

interface Values {
  readonly name: string;
  readonly defaultPayRate: string;
  readonly payUnit: PayUnit;
  readonly announcedRates: readonly Announced[];
}

interface Catalogue {
  readonly key: 'positions' | 'skillLevels';
  readonly hasRate: boolean;
  readonly read: string;
  readonly create: string;
  readonly update: string;
  readonly remove: string;
  /** Name of the field of the API that has the name. */
  readonly nameField: string;
}

const positions: Catalogue = {
  key: 'positions',
  hasRate: true,
  nameField: 'title',
  read: `query Positions { items: positions { id version name: title defaultPayRate payUnit rates { start { local } payRate payUnit } } }`,
  create: `mutation CreatePosition($idempotencyKey: String, $input: CreatePositionInput!) {
    createPosition(idempotencyKey: $idempotencyKey, input: $input) { id }
  }`,
  update: `mutation UpdatePosition($id: ID!, $version: Int, $input: UpdatePositionInput!) {
    updatePosition(id: $id, version: $version, input: $input) { id }
  }`,
  remove: `mutation DeletePosition($id: ID!, $version: Int) { deletePosition(id: $id, version: $version) { id } }`,
};

const skillLevels: Catalogue = {
  key: 'skillLevels',
  hasRate: false,
  nameField: 'name',
  read: `query SkillLevels { items: skillLevels { id version name } }`,
  create: `mutation CreateSkillLevel($idempotencyKey: String, $input: SkillLevelInput!) {
    createSkillLevel(idempotencyKey: $idempotencyKey, input: $input) { id }
  }`,
  update: `mutation UpdateSkillLevel($id: ID!, $version: Int, $input: SkillLevelInput!) {
    updateSkillLevel(id: $id, version: $version, input: $input) { id }
  }`,
  remove: `mutation DeleteSkillLevel($id: ID!, $version: Int) { deleteSkillLevel(id: $id, version: $version) { id } }`,
};

export const PositionsSection = () => <CatalogueSection catalogue={positions} />;

export const SkillLevelsSection = () => <CatalogueSection catalogue={skillLevels} />;

function CatalogueSection({ catalogue }: { catalogue: Catalogue }) {
  const { settings, language } = useMessages();
  const { catalogues } = settings;
  const texts = catalogues[catalogue.key];
  const read = useRead<{ items: readonly Item[] }>(catalogue.read);
  const [edited, setEdited] = useState<Item | 'new' | null>(null);
  const [removed, setRemoved] = useState<Item | null>(null);
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
  const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const nameRate = (rate: string, unit: PayUnit) => catalogues.rateOf[unit](format.format(Number(rate)));
  const readAnnounced = useAnnounced();
  const rate: Column<Item> = {
    key: 'rate',
    title: catalogues.rate,
    isNumber: true,
    renderCell: (item) => (
      <>
        {item.defaultPayRate && item.payUnit ? nameRate(item.defaultPayRate, item.payUnit) : catalogues.noRate}
        {readAnnounced(item).map(({ from, payRate, payUnit }) => (
          <span key={from} className="cs-hint">
            {catalogues.from(dayFormat.format(new Date(from)), nameRate(payRate, payUnit))}
          </span>
        ))}
      </>
    ),
  };
  const columns: Column<Item>[] = [
    { key: 'name', title: catalogues.name, renderCell: ({ name }) => <bdi>{name}</bdi> },
    ...(catalogue.hasRate ? [rate] : []),
    {
      key: 'actions',
      title: settings.actions,
      isNumber: true,
      renderCell: (item) => (
        <div className="cs-row-actions">
          <Button look="quiet" aria-label={settings.editOf(item.name)} onClick={() => setEdited(item)}>
            {settings.edit}
          </Button>
          <Button look="quiet" aria-label={settings.deleteOf(item.name)} onClick={() => setRemoved(item)}>
            {settings.remove}
          </Button>
        </div>
      ),
    },
  ];
  const add = (
    <Button look="primary" onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  );
  return (
    <Loaded read={read}>
      {({ items }) => (
        <>
          {items.length > 0 && <div className="cb-buttons">{add}</div>}
          <Table
            caption={settings.sections[catalogue.key === 'positions' ? 'positions' : 'skill-levels'].title}
            columns={columns}
            rows={items}
            rowKey={({ id }) => id}
            empty={
              <Empty title={texts.none} action={add}>
                {texts.noneLead}
              </Empty>
            }
          />
          {edited && (
            <ItemDialog catalogue={catalogue} item={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
          )}
          {removed && (
            <RemoveDialog
              name={removed.name}
              mutation={catalogue.remove}
              variables={{ id: removed.id, version: removed.version }}
              lead={texts.removeLead}
              onClose={() => setRemoved(null)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

interface DialogProps {
  readonly catalogue: Catalogue;
  readonly onClose: () => void;
}

function ItemDialog({ catalogue, item, onClose }: DialogProps & { item: Item | null }) {
  const { settings } = useMessages();
  const { catalogues } = settings;
  const texts = catalogues[catalogue.key];
  const draft = useDraft<Values>(`${catalogue.key} ${item?.id ?? 'new'}`, {
    name: item?.name ?? '',
    defaultPayRate: item?.defaultPayRate ?? '',
    payUnit: item?.payUnit ?? 'HOUR',
    announcedRates: useAnnounced()(item),
  });
  const { write, isPending, fault } = useWrite(item ? catalogue.update : catalogue.create);
  const { values, change, discard } = draft;
  const save = async () => {
    const { name, announcedRates, ...rate } = values;
    const rates = { ...rate, ...(item && { announcedRates }) };
    const input = { [catalogue.nameField]: name, ...(catalogue.hasRate && rates) };
    if ((await write(item ? { id: item.id, version: item.version, input } : { input })).fault) return;
    discard();
    onClose();
    showToast({ text: settings.savedOf(name) });
  };
  return (
    <Dialog title={item ? settings.editOf(item.name) : texts.add} onClose={onClose}>
      <Form draft={draft} fault={fault} isPending={isPending} onSubmit={() => void save()}>
        <TextField
          label={catalogues.name}
          value={values.name}
          maxLength={200}
          onChange={(name) => change({ name })}
          error={fault?.fields[catalogue.nameField]}
        />
        {catalogue.hasRate && (
          <>
            <MoneyField
              label={catalogues.rate}
              value={values.defaultPayRate}
              onChange={(defaultPayRate) => change({ defaultPayRate })}
              error={fault?.fields.defaultPayRate}
            />
            <SelectField
              label={catalogues.unit}
              value={values.payUnit}
              onChange={(payUnit) => change({ payUnit })}
              options={payUnits.map((value) => ({ value, label: catalogues.units[value] }))}
              error={fault?.fields.payUnit}
            />
            {item && (
              <AnnouncedRates
                rates={values.announcedRates}
                unit={values.payUnit}
                onChange={(announcedRates) => change({ announcedRates })}
              />
            )}
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Reads the rates of a position that begin after today, by the clocks of the business. */
function useAnnounced(): (item: Item | null) => readonly Announced[] {
  const { timezone } = useViewer().business;
  const today = new Intl.DateTimeFormat('sv', { timeZone: timezone }).format(useMinute());
  return (item) =>
    (item?.rates ?? [])
      .map(({ start, payRate, payUnit }) => ({ from: start?.local.slice(0, 10) ?? '', payRate, payUnit }))
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
          <SelectField
            label={catalogues.unit}
            value={payUnit}
            onChange={(next) => changeAt(at, { payUnit: next })}
            options={payUnits.map((value) => ({ value, label: catalogues.units[value] }))}
          />
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
