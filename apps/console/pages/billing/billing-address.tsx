import type { BillingDetailsAnswer } from '@moorage/contracts';
import {
  checkAddressLines,
  checkBillingName,
  checkCity,
  checkPostalCode,
  checkTaxId,
  countryNameIn,
  townLine,
} from '@moorage/domain';
import { TriangleAlert } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { currentLocale, messageText } from '../../texts/locale';

/** Billing address as printed on receipts. */
export function BillingAddress({ details }: { details: BillingDetailsAnswer }) {
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
