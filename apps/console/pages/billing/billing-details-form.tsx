import type { BillingDetailsAnswer } from '@moorage/contracts';
import {
  checkAddressLines,
  checkBillingName,
  checkCity,
  checkCountry,
  checkPostalCode,
  checkTaxId,
  COUNTRY_CODES,
  countryNameIn,
  taxIdWarning,
} from '@moorage/domain';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { problemText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { currentLocale } from '../../texts/locale';
import { Form, SubmitError } from '../../ui/form/form';
import { FormButtons } from '../../ui/form/form-buttons';
import { SelectInput, TextInput } from '../../ui/form/inputs';

const EMPTY = { name: '', lines: '', postal_code: '', city: '', country: '', tax_id: '' };
type Details = typeof EMPTY;

/** Form for the address on receipts and statements. */
export function BillingDetailsForm({ details, onDone }: { details: BillingDetailsAnswer | null; onDone: () => void }) {
  const t = useText();
  const save = useAction('billing', 'saveDetails', { done: t('billing.details.saved') });
  const submit = async ({ lines, tax_id, ...values }: Details): Promise<void> => {
    await save.mutateAsync({
      body: { ...values, lines: linesOf(lines), tax_id: tax_id.trim() === '' ? null : tax_id },
    });
    onDone();
  };
  return (
    <Form className="pad billing-form" defaultValues={valuesOf(details)} onSubmit={submit}>
      <p className="soft small">{t('billing.details.lead')}</p>
      <SubmitError />
      <TextInput
        source="name"
        label={t('billing.details.name')}
        autoComplete="organization"
        autoFocus
        validate={(name) => problemText(checkBillingName(name))}
      />
      <TextInput
        source="lines"
        label={t('billing.details.lines')}
        autoComplete="street-address"
        rows={2}
        validate={(lines) => problemText(checkAddressLines(linesOf(lines)))}
      />
      <div className="billing-town">
        <TextInput
          source="postal_code"
          label={t('billing.details.postal_code')}
          autoComplete="postal-code"
          optional
          validate={(postalCode) => problemText(checkPostalCode(postalCode))}
        />
        <TextInput
          source="city"
          label={t('billing.details.city')}
          autoComplete="address-level2"
          validate={(city) => problemText(checkCity(city))}
        />
      </div>
      <CountryInput />
      <TaxIdInput />
      <FormButtons label={t('billing.details.save')} busyLabel={t('billing.details.saving')} onCancel={onDone} />
    </Form>
  );
}

const valuesOf = (details: BillingDetailsAnswer | null): Details =>
  details === null ? EMPTY : { ...details, lines: details.lines.join('\n'), tax_id: details.tax_id ?? '' };

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function CountryInput() {
  const t = useText();
  const locale = currentLocale();
  const countries = useMemo(
    () =>
      COUNTRY_CODES.map((code) => ({ code, name: countryNameIn(code, locale) })).sort((a, b) =>
        a.name.localeCompare(b.name, locale),
      ),
    [locale],
  );
  return (
    <SelectInput
      source="country"
      label={t('billing.details.country')}
      autoComplete="country"
      required
      validate={(country) => problemText(checkCountry(country))}
    >
      <option value="">{t('billing.details.country_choose')}</option>
      {countries.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectInput>
  );
}

/** Field for the tax number, with a warning if its format is unusual for the country. */
function TaxIdInput() {
  const t = useText();
  const [taxId, country] = useWatch<Details, ['tax_id', 'country']>({ name: ['tax_id', 'country'] });
  return (
    <TextInput
      source="tax_id"
      label={t('billing.details.tax_id')}
      optional
      hint={problemText(taxIdWarning(taxId, country)) ?? t('billing.details.tax_id_hint')}
      validate={(number, values: Details) => problemText(checkTaxId(number, values.country))}
    />
  );
}
