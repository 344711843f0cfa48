import {
  ApiKeysDocument,
  CreateApiKeyDocument,
  RevokeApiKeyDocument,
  type ApiKeysQuery,
  type CreateApiKeyMutation,
  type CredentialScope,
} from '../../../generated/pages/console/settings.ts';
import { useMessages } from '../messages/messages.ts';
import { CheckField, DateField, TextField } from '../parts/fields.tsx';
import { Catalogue } from '../parts/catalogue.tsx';
import { useDateTime } from '../parts/date-time.ts';

const scopes: readonly CredentialScope[] = [
  ...(['FULL', 'READ', 'EVENTS_WRITE', 'STAFFING_WRITE', 'USERS_WRITE', 'WEBHOOKS'] as const),
];

type ApiKey = ApiKeysQuery['items'][number];

interface Values {
  readonly name: string;
  readonly scopes: readonly CredentialScope[];
  /** Last day on which it holds; empty for none. */
  readonly expiresAt: string;
}

/** The keys with which programs call the service. */
export function ApiKeysSection() {
  const { settings } = useMessages();
  const { apiKeys: texts } = settings;
  const formatTime = useDateTime();
  return (
    <Catalogue<ApiKey, Values, ApiKeysQuery, CreateApiKeyMutation['made']>
      section="api-keys"
      texts={texts}
      query={ApiKeysDocument}
      itemsOf={({ items }) => items}
      create={CreateApiKeyDocument}
      remove={RevokeApiKeyDocument}
      isRevoked
      nameOf={({ name }) => name}
      hintOf={({ lastFour }) => `…${lastFour}`}
      columns={[
        {
          key: 'scopes',
          title: texts.scopes,
          renderCell: (key) => key.scopes.map((scope) => texts.scopeNames[scope]).join(', '),
        },
        {
          key: 'used',
          title: texts.lastUsed,
          isMinor: true,
          renderCell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : formatTime(lastUsedAt)),
        },
        {
          key: 'expires',
          title: texts.expires,
          isMinor: true,
          renderCell: ({ expiresAt }) => (expiresAt === null ? texts.doesNot : formatTime(expiresAt)),
        },
      ]}
      valuesOf={() => ({ name: '', scopes: ['READ'], expiresAt: '' })}
      inputOf={({ expiresAt: day, ...input }) => ({
        ...input,
        ...(day && { expiresAt: new Date(`${day}T23:59:59`).toISOString() }),
      })}
      secretOf={({ key, apiKey }) => ({ name: apiKey.name, secret: key })}
      renderFields={(field, { values, change, fault }) => (
        <>
          <TextField label={settings.name} hint={texts.nameHint} {...field('name')} />
          <fieldset className="cs-set">
            <legend>{texts.scopes}</legend>
            {scopes.map((scope) => (
              <CheckField
                key={scope}
                label={texts.scopeNames[scope]}
                hint={texts.scopeHints[scope]}
                value={values.scopes.includes(scope)}
                onChange={(isChosen) =>
                  change({
                    scopes: scopes.filter((each) => (each === scope ? isChosen : values.scopes.includes(each))),
                  })
                }
              />
            ))}
            {fault?.fields.scopes && <span className="cs-error">{fault.fields.scopes}</span>}
          </fieldset>
          <DateField label={texts.until} hint={texts.untilHint} isOptional {...field('expiresAt')} />
        </>
      )}
    />
  );
}
