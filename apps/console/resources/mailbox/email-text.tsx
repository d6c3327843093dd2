import { Fragment } from 'react';
import { Link } from '../../ui/link';

/** Text of an email. Addresses of this installation are links. */
export function EmailText({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => {
    const within = ownAddress(part);
    return within === null ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <Link key={index} href={within}>
        {part}
      </Link>
    );
  });
}

function ownAddress(part: string): string | null {
  if (!URL.canParse(part)) return null;
  const { origin, pathname, search } = new URL(part);
  // A path that begins with two slashes would lead to another host.
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search : null;
}
