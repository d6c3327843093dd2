import type { TOKEN_DAYS, TOKEN_SCOPES, TokenScope } from '@moorage/contracts';
import { useOwnUser } from '../../data/own-user';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { Form, SubmitError } from '../../ui/form/form';
import { FormButtons } from '../../ui/form/form-buttons';
import { SelectInput, TextInput } from '../../ui/form/inputs';
import type { CreatedToken } from './new-token';

/** Values repeated here with the contracts' types, because importing them would bundle their schemas. */
const DAYS: typeof TOKEN_DAYS = [7, 30, 90, 365];
const SCOPES: typeof TOKEN_SCOPES = ['read', 'write', 'admin'];

interface TokenValues {
  readonly label: string;
  readonly scope: TokenScope;
  readonly days: string;
}
const INITIAL: TokenValues = { label: '', scope: 'read', days: '90' };
const WIRE_NAMES = { expires_in_days: 'days' };

/** Form to create an API token. */
export function TokenForm({ onCreated, onCancel }: { onCreated: (token: CreatedToken) => void; onCancel: () => void }) {
  const t = useText();
  const p = usePublicText();
  const create = useAction('account', 'createToken');
  const isAdmin = useOwnUser().data?.is_admin === true;
  const submit = async ({ label, scope, days }: TokenValues): Promise<void> => {
    const expires_in_days = DAYS.find((each) => String(each) === days) ?? null;
    onCreated(await create.mutateAsync({ body: { label: label.trim(), scope, expires_in_days } }));
  };
  return (
    <Form className="account-form" defaultValues={INITIAL} wireNames={WIRE_NAMES} onSubmit={submit}>
      <SubmitError />
      <TextInput
        source="label"
        label={t('account.tokens.label')}
        hint={t('account.tokens.label_hint')}
        autoFocus
        validate={(label) => (label.trim() === '' ? p('form.required', { field: t('account.tokens.label') }) : null)}
      />
      <SelectInput source="scope" label={t('account.tokens.scope')}>
        {SCOPES.filter((each) => each !== 'admin' || isAdmin).map((each) => (
          <option key={each} value={each}>
            {t(`account.tokens.${each}`)}
          </option>
        ))}
      </SelectInput>
      <SelectInput source="days" label={t('account.tokens.expires')}>
        {DAYS.map((each) => (
          <option key={each} value={each}>
            {t('account.tokens.days', { smart_count: each })}
          </option>
        ))}
      </SelectInput>
      <FormButtons
        label={t('account.tokens.create_submit')}
        busyLabel={t('account.tokens.creating')}
        onCancel={onCancel}
      />
    </Form>
  );
}
