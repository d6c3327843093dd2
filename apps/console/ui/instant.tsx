import { exactInstant, shortInstant } from './dates';

export function Instant({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={exactInstant(iso)}>
      {shortInstant(iso)}
    </time>
  );
}
