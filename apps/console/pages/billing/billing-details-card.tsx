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
  townLine,
} from '@moorage/domain';
import { TriangleAlert } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { SectionCard, Loaded } from '../../ui/card';
import { FormButtons } from '../../ui/form/form-buttons';
import { useReturnFocus } from '../../ui/use-return-focus';
import { useBillingDetails, useSaveBillingDetails } from '../../data/billing-documents';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { currentLocale, messageText } from '../../texts/locale';
import { Field, FormError } from '../../ui/form/field';
import { problemText } from '../../data/problem-message';
import { type FormField, useForm } from '../../ui/form/use-form';
import { Button } from '../../ui/button';

/** Billing details for receipts and statements. */
export function BillingDetailsCard() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const opener = useReturnFocus(isOpen);
  const query = useBillingDetails();
  return (
    <SectionCard
      id="billing-details"
      title={t('billing.details.title')}
      aside={
        query.data === undefined || isOpen ? undefined : (
          <Button ref={opener} size="small" onClick={() => setOpen(true)}>
            {query.data === null ? t('billing.details.add') : t('billing.details.edit')}
          </Button>
        )
      }
    >
      <Loaded query={query} failed={t('billing.details.failed')}>
        {(details) =>
          isOpen ? (
            <DetailsForm details={details} onDone={() => setOpen(false)} />
          ) : details === null ? (
            <p className="pad muted">{t('billing.details.none')}</p>
          ) : (
            <Address details={details} />
          )
        }
      </Loaded>
    </SectionCard>
  );
}

function Address({ details }: { details: BillingDetailsAnswer }) {
  const t = useText();
  const { name, lines, city, postal_code, country, tax_id } = details;
  // Stored before this rule existed.
  const problem = [
    checkBillingName(name),
    checkAddressLines(lines),
    checkCity(city),
    checkPostalCode(postal_code),
    checkTaxId(tax_id ?? '', country),
  ].find((each) => each !== null);
  return (
    <>
      {problem === undefined ? null : (
        <div className="pad">
          <div className="note port" role="status">
            <TriangleAlert size={16} aria-hidden="true" />
            <p>{messageText(problem)}</p>
          </div>
        </div>
      )}
      <address className="pad billing-address">
        <b>{name}</b>
        {[...lines, townLine(details), countryNameIn(country, currentLocale())].map((line, at) => (
          <span key={at}>{line}</span>
        ))}
        {tax_id === null ? null : <span className="soft">{t('billing.details.tax_id_is', { number: tax_id })}</span>}
      </address>
    </>
  );
}

function DetailsForm({ details, onDone }: { details: BillingDetailsAnswer | null; onDone: () => void }) {
  const t = useText();
  const toast = useToast();
  const save = useSaveBillingDetails();
  const form = useForm({
    initial: {
      name: details?.name ?? '',
      lines: details?.lines.join('\n') ?? '',
      postal_code: details?.postal_code ?? '',
      city: details?.city ?? '',
      country: details?.country ?? '',
      tax_id: details?.tax_id ?? '',
    },
    checks: {
      name: ({ name }) => problemText(checkBillingName(name)),
      lines: ({ lines }) => problemText(checkAddressLines(linesOf(lines))),
      postal_code: ({ postal_code }) => problemText(checkPostalCode(postal_code)),
      city: ({ city }) => problemText(checkCity(city)),
      country: ({ country }) => problemText(checkCountry(country)),
      tax_id: ({ tax_id, country }) => problemText(checkTaxId(tax_id, country)),
    },
    failed: 'form.failed',
    retryAt: 'name',
    async submit({ lines, tax_id, ...values }) {
      await save({ ...values, lines: linesOf(lines), tax_id: tax_id.trim() === '' ? null : tax_id });
      toast(t('billing.details.saved'));
      onDone();
      return null;
    },
  });
  return (
    <form className="pad billing-form" noValidate onSubmit={form.onSubmit}>
      <p className="soft small">{t('billing.details.lead')}</p>
      <FormError text={form.refusal} />
      <Field label={t('billing.details.name')} autoComplete="organization" autoFocus field={form.field('name')} />
      <Field label={t('billing.details.lines')} autoComplete="street-address" rows={2} field={form.field('lines')} />
      <div className="billing-town">
        <Field
          label={t('billing.details.postal_code')}
          autoComplete="postal-code"
          optional
          field={form.field('postal_code')}
        />
        <Field label={t('billing.details.city')} autoComplete="address-level2" field={form.field('city')} />
      </div>
      <CountryField field={form.field('country')} />
      <Field
        label={t('billing.details.tax_id')}
        autoComplete="off"
        optional
        hint={problemText(taxIdWarning(form.values.tax_id, form.values.country)) ?? t('billing.details.tax_id_hint')}
        field={form.field('tax_id')}
      />
      <FormButtons
        label={t('billing.details.save')}
        busyLabel={t('billing.details.saving')}
        busy={form.busy}
        onCancel={onDone}
      />
    </form>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function CountryField({ field: { value, problem, onChange, onLeave, inputRef } }: { field: FormField }) {
  const t = useText();
  const id = useId();
  const locale = currentLocale();
  const countries = useMemo(
    () =>
      COUNTRY_CODES.map((code) => ({ code, name: countryNameIn(code, locale) })).sort((a, b) =>
        a.name.localeCompare(b.name, locale),
      ),
    [locale],
  );
  return (
    <div>
      <label htmlFor={id}>{t('billing.details.country')}</label>
      <span className={problem === null ? 'in lg' : 'in lg bad'}>
        <select
          id={id}
          ref={inputRef}
          autoComplete="country"
          required
          value={value}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-below`}
          onChange={({ target }) => onChange(target.value)}
          onBlur={onLeave}
        >
          <option value="">{t('billing.details.country_choose')}</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </span>
      {problem === null ? null : (
        <div className="hint wrong" id={`${id}-below`}>
          {problem}
        </div>
      )}
    </div>
  );
}
