import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../messages/messages.ts';
import { Button } from './button.tsx';
import { Combobox, type Option } from './combobox.tsx';
import { Dialog } from './dialog.tsx';
import {
  CheckField,
  DateField,
  LongTextField,
  MoneyField,
  NumberField,
  SelectField,
  TextField,
  TimeField,
} from './fields.tsx';
import { ConfirmDanger } from './form-dialog.tsx';
import { bindFields, Form, useDraft } from './form.tsx';
import { Page } from './frame.tsx';
import { Entries, type Entry } from './history.tsx';
import { Menu } from './menu.tsx';
import { Empty, Notice } from './notice.tsx';
import { PlaceLink } from './place.tsx';
import { SearchField } from './search-field.tsx';
import { Table, type Sort } from './table.tsx';
import { Tabs } from './tabs.tsx';
import { showToast } from './toast.tsx';
import './page.css';

/** Every part in every state, for people who build pages. */
export default function PartsPage() {
  const { parts, samples } = useMessages();
  return (
    <Page title={parts.title}>
      <p>{parts.lead}</p>
      <div className="cs-samples">
        <Sample title={samples.buttons}>
          <div className="cb-buttons">
            <Button look="primary">{samples.primary}</Button>
            <Button>{samples.plain}</Button>
            <Button look="quiet">{samples.quiet}</Button>
            <Button look="danger">{samples.danger}</Button>
            <Button isBusy>{samples.busy}</Button>
            <Button disabled>{samples.off}</Button>
          </div>
        </Sample>
        <Fields />
        <Overlays />
        <Sample title={samples.tabs}>
          <TabSample />
        </Sample>
        <Tables />
        <Sample title={samples.history}>
          <Entries
            entries={[
              { ...noEntry, actorName: samples.actor, kind: 'WORK_SHIFT', change: 'CREATED', rowName: samples.crew },
              { ...noEntry, actorName: samples.actor, fields: [{ ...noField, after: samples.dress }] },
            ]}
          />
        </Sample>
        <Sample title={samples.place}>
          <PlaceLink {...samples.venue} />
        </Sample>
        <Sample title={samples.notices}>
          <Notice>{samples.info}</Notice>
          <Notice look="good">{samples.good}</Notice>
          <Notice look="warning">{samples.warning}</Notice>
          <Notice look="bad" action={<Button>{parts.retry}</Button>}>
            {samples.bad}
          </Notice>
          <Empty title={samples.emptyTitle} action={<Button look="primary">{samples.emptyAction}</Button>}>
            {samples.emptyText}
          </Empty>
        </Sample>
      </div>
    </Page>
  );
}

const noField = { name: 'dressCode', before: null, beforeName: null, afterName: null };
const noEntry: Entry = {
  ...{ at: '2026-11-26T09:30:00Z', atEvent: { local: '2026-11-26' }, actorKind: 'USER', actorName: null },
  ...{ kind: 'EVENT', change: 'UPDATED', rowName: null, fields: [] },
};

const Sample = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="cs-sample">
    <h2>{title}</h2>
    {children}
  </section>
);

function Fields() {
  const { samples } = useMessages();
  const draft = useDraft('parts', {
    text: '',
    notes: '',
    needed: '',
    rate: '',
    status: 'DRAFT' as 'DRAFT' | 'ACTIVE',
    isTold: true,
    day: '',
    start: '',
    sought: '',
    who: null as Option | null,
  });
  const { values, change } = draft;
  const [isFault, setIsFault] = useState(false);
  const fault = isFault ? { code: 'VALIDATION_FAILED', message: samples.bad, fields: {}, details: {} } : null;
  const field = bindFields(draft, fault);
  return (
    <Sample title={samples.fields}>
      <Form draft={draft} fault={fault} isPending={false} onSubmit={() => setIsFault(values.text === '')}>
        <TextField label={samples.text} hint={samples.hint} {...field('text')} error={isFault ? samples.fault : null} />
        <LongTextField label={samples.longText} isOptional {...field('notes')} />
        <NumberField label={samples.number} {...field('needed')} />
        <MoneyField label={samples.money} isDisabled {...field('rate')} />
        <SelectField label={samples.select} options={samples.options} {...field('status')} />
        <CheckField label={samples.check} {...field('isTold')} />
        <DateField label={samples.date} {...field('day')} />
        <TimeField label={samples.time} isOpen {...field('start')} />
        <SearchField label={samples.search} value={values.sought} onSearch={(sought) => change({ sought })} />
        <Combobox label={samples.who} search={searchPeople(samples)} {...field('who')} />
      </Form>
    </Sample>
  );
}

const searchPeople =
  ({ person, staff }: { person: (number: number) => string; staff: string }) =>
  (text: string): Promise<Option[]> =>
    Promise.resolve(
      Array.from({ length: 40 }, (_, index) => ({ value: String(index), label: person(index + 1), detail: staff }))
        .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
        .slice(0, 8),
    );

function Overlays() {
  const { samples } = useMessages();
  const [open, setOpen] = useState<'dialog' | 'danger' | null>(null);
  const close = () => setOpen(null);
  const toast = () => showToast({ text: samples.toastText, undo: () => showToast({ text: samples.undone }) });
  return (
    <Sample title={samples.overlays}>
      <div className="cb-buttons">
        <Button onClick={() => setOpen('dialog')}>{samples.openDialog}</Button>
        <Button look="danger" onClick={() => setOpen('danger')}>
          {samples.openDanger}
        </Button>
        <Menu
          label={samples.menu}
          items={samples.menuItems.map((label, index) => ({
            label,
            isDanger: index === 2,
            onSelect: () => showToast({ text: samples.chosen(label) }),
          }))}
        />
        <Button onClick={toast}>{samples.toast}</Button>
      </div>
      {open === 'dialog' && (
        <Dialog title={samples.dialogTitle} onClose={close}>
          <p>{samples.dialogText}</p>
        </Dialog>
      )}
      {open === 'danger' && (
        <ConfirmDanger
          title={samples.dangerTitle}
          name={samples.dangerName}
          action={samples.danger}
          onConfirm={close}
          onClose={close}
        >
          <p>{samples.dangerText}</p>
        </ConfirmDanger>
      )}
    </Sample>
  );
}

function TabSample() {
  const { samples } = useMessages();
  const [selected, setSelected] = useState('0');
  const tabs = samples.tabNames.map((label, index) => ({ key: String(index), label }));
  return (
    <Tabs label={samples.tabs} tabs={tabs} selected={selected} onSelect={setSelected}>
      <p>{samples.tabTexts[Number(selected)]}</p>
    </Tabs>
  );
}

function Tables() {
  const { samples } = useMessages();
  const [count, setCount] = useState('5');
  const [sort, setSort] = useState<Sort>({ key: 'shifts', isDescending: false });
  const rows = Array.from({ length: Number(count) }, (_, index) => index + 1);
  if (sort.isDescending) rows.reverse();
  return (
    <Sample title={samples.table}>
      <SelectField
        label={samples.table}
        options={Object.fromEntries([0, 5, 2000].map((each) => [each, samples.rowNames(each)]))}
        value={count}
        onChange={setCount}
      />
      <Table
        caption={samples.table}
        columns={[
          {
            key: 'name',
            title: samples.columns.name,
            renderCell: (row) => <Link href="/parts">{samples.person(row)}</Link>,
          },
          { key: 'role', title: samples.columns.role, renderCell: () => samples.staff, isMinor: true },
          { key: 'shifts', title: samples.columns.shifts, renderCell: (row) => row, isNumber: true, isSortable: true },
        ]}
        rows={rows}
        rowKey={String}
        sort={sort}
        onSort={setSort}
        empty={<Empty title={samples.emptyTitle} />}
      />
    </Sample>
  );
}
