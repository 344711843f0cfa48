import { useState, type ReactNode } from 'react';
import type { TypedDocument } from '../../application/document.ts';
import type { Variables } from '../../application/service.ts';
import { useRead, useWrite, type Fault } from '../../application/data.ts';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from './button.tsx';
import { FormDialog } from './form-dialog.tsx';
import { bindFields, useDraft, type BindField } from './form.tsx';
import { Hinted } from './hinted.tsx';
import { Empty, Loaded, Notice } from './notice.tsx';
import { Table, type Column } from './table.tsx';
import { showToast } from './toast.tsx';
import { RemoveDialog } from './remove.tsx';
import { SecretDialog } from './secret.tsx';
import './catalogue.css';

/* A section of the settings that lists items, adds and changes them in a dialog, and deletes or revokes them by name. */

interface Item {
  readonly id: string;
  /** With it, a change or deletion of an old version is refused. */
  readonly version?: number;
}

/** What the API returns only once. */
export interface Secret {
  readonly name: string;
  readonly secret: string;
}

interface ItemForm<Values extends object> {
  readonly values: Values;
  readonly change: (change: Partial<Values>) => void;
  readonly fault: Fault | null;
}

export interface ItemActions {
  /** Undefined where items are never changed. */
  readonly onEdit: (() => void) | undefined;
  readonly onRemove: () => void;
  /** Shows a secret that an action of the item has returned. */
  readonly onSecret: (secret: Secret) => void;
}

interface CatalogueProps<Row extends Item, Values extends object, Data, Made> {
  readonly section: keyof Messages['settings']['sections'];
  readonly texts: {
    readonly add: string;
    readonly none: string;
    readonly noneLead: string;
    readonly removeLead: string;
    /** Label of the button that saves an item, and the sentence after that. */
    readonly save?: string;
    readonly saved?: (name: string) => string;
    /** Introduces a secret. */
    readonly shownOnce?: string;
  };
  readonly query: TypedDocument<Data, Variables>;
  readonly variables?: Variables;
  readonly itemsOf: (data: Data) => readonly Row[];
  readonly create: TypedDocument<{ readonly made: Made }, Variables>;
  /** Without it, items are never changed. */
  readonly update?: TypedDocument<{ readonly made: object }, Variables>;
  readonly remove: TypedDocument<unknown, Variables>;
  /** Whether items are revoked, not deleted. */
  readonly isRevoked?: boolean;
  readonly nameOf: (item: Row | Values) => string;
  /** A second line below the name. */
  readonly hintOf?: (item: Row) => ReactNode;
  /** Columns between the name and the actions. */
  readonly columns?: readonly Column<Row>[];
  /** Renders the items in place of a table. */
  readonly renderItems?: (items: readonly Row[], actionsOf: (item: Row) => ItemActions, data: Data) => ReactNode;
  /** Values of the form: of an item, or of a new one. */
  readonly valuesOf: (item: Row | null, data: Data) => Values;
  /** Input of the mutation; without it, the values. */
  readonly inputOf?: (values: Values, item: Row | null, items: readonly Row[], data: Data) => object;
  readonly renderFields: (field: BindField<Values>, form: ItemForm<Values>, item: Row | null, data: Data) => ReactNode;
  /** Reads the secret of a new item. */
  readonly secretOf?: (made: Made) => Secret;
  /** What to show with a secret. */
  readonly renderSecret?: (secret: Secret) => ReactNode;
}

type EditorProps<Row extends Item, Values extends object, Data, Made> = CatalogueProps<Row, Values, Data, Made> & {
  readonly item: Row | null;
  readonly items: readonly Row[];
  readonly data: Data;
  readonly onSecret: (secret: Secret) => void;
  readonly onClose: () => void;
};

export function Catalogue<Row extends Item, Values extends object, Data, Made extends object = object>(
  props: CatalogueProps<Row, Values, Data, Made>,
) {
  const { section, texts, nameOf, itemsOf, isRevoked = false } = props;
  const { settings } = useMessages();
  const read = useRead(props.query, props.variables);
  const [edited, setEdited] = useState<Row | 'new' | null>(null);
  const [removed, setRemoved] = useState<Row | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const add = (
    <Button look="primary" onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  );
  const empty = (
    <Empty title={texts.none} action={add}>
      {texts.noneLead}
    </Empty>
  );
  const actionsOf = (item: Row): ItemActions => ({
    onEdit: props.update === undefined ? undefined : () => setEdited(item),
    onRemove: () => setRemoved(item),
    onSecret: setSecret,
  });
  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: settings.name,
      renderCell: (item) => (
        <Hinted hints={[props.hintOf?.(item)]}>
          <bdi>{nameOf(item)}</bdi>
        </Hinted>
      ),
    },
    ...(props.columns ?? []),
    {
      key: 'actions',
      title: settings.actions,
      isNumber: true,
      renderCell: (item) => <RowActions name={nameOf(item)} isRevoked={isRevoked} {...actionsOf(item)} />,
    },
  ];
  return (
    <Loaded read={read}>
      {(data) => (
        <>
          {itemsOf(data).length > 0 && <div className="cb-buttons">{add}</div>}
          {itemsOf(data).length > 0 && props.renderItems ? (
            props.renderItems(itemsOf(data), actionsOf, data)
          ) : (
            <Table
              caption={settings.sections[section].title}
              columns={columns}
              rows={itemsOf(data)}
              rowKey={({ id }) => id}
              empty={empty}
            />
          )}
          {edited && (
            <ItemDialog
              {...props}
              item={edited === 'new' ? null : edited}
              items={itemsOf(data)}
              data={data}
              onSecret={setSecret}
              onClose={() => setEdited(null)}
            />
          )}
          {secret && (
            <SecretDialog title={secret.name} secret={secret.secret} onClose={() => setSecret(null)}>
              <Notice look="warning">{texts.shownOnce}</Notice>
              {props.renderSecret?.(secret)}
            </SecretDialog>
          )}
          {removed && (
            <RemoveDialog
              name={nameOf(removed)}
              mutation={props.remove}
              variables={{ id: removed.id, version: removed.version }}
              lead={texts.removeLead}
              isRevoked={isRevoked}
              onClose={() => setRemoved(null)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

type RowActionsProps = Pick<ItemActions, 'onEdit' | 'onRemove'> & {
  readonly name: string;
  readonly isRevoked?: boolean;
};

export function RowActions({ name, isRevoked = false, onEdit, onRemove }: RowActionsProps) {
  const { settings } = useMessages();
  return (
    <div className="cs-row-actions">
      {onEdit && (
        <Button look="quiet" aria-label={settings.editOf(name)} onClick={onEdit}>
          {settings.edit}
        </Button>
      )}
      <Button look="quiet" aria-label={(isRevoked ? settings.revokeOf : settings.deleteOf)(name)} onClick={onRemove}>
        {isRevoked ? settings.revoke : settings.remove}
      </Button>
    </div>
  );
}

function ItemDialog<Row extends Item, Values extends object, Data, Made extends object>(
  props: EditorProps<Row, Values, Data, Made>,
) {
  const { section, texts, item, items, data, create, update = create, onSecret, onClose } = props;
  const { settings } = useMessages();
  const draft = useDraft<Values>(
    `${section} ${item?.id ?? JSON.stringify(props.variables ?? 'new')}`,
    props.valuesOf(item, data),
  );
  const { write, isPending, fault } = useWrite<{ readonly made: object }, Variables>(item ? update : create);
  const { values, change } = draft;
  const save = async () => {
    const input = props.inputOf?.(values, item, items, data) ?? values;
    const outcome = await write(item ? { id: item.id, version: item.version, input } : { input });
    if (!outcome.data) return;
    draft.discard();
    onClose();
    const secret = item ? null : props.secretOf?.(outcome.data.made as Made);
    if (secret) onSecret(secret);
    else showToast({ text: (texts.saved ?? settings.savedOf)(props.nameOf(values)) });
  };
  return (
    <FormDialog
      title={item ? settings.editOf(props.nameOf(item)) : texts.add}
      {...{ draft, fault, isPending, onClose }}
      onSubmit={() => void save()}
      action={texts.save}
    >
      {props.renderFields(bindFields(draft, fault), { values, change, fault }, item, data)}
    </FormDialog>
  );
}
