import { Link, type LinkProps } from 'react-router-dom';
import { buttonClass, type ButtonIcons, ButtonLabel, type ButtonLook } from './button';

/** Link to a page of the console that looks like a button. */
export function ButtonLink({
  kind,
  size,
  block,
  icon,
  endIcon,
  className,
  children,
  ...rest
}: LinkProps & ButtonLook & ButtonIcons) {
  return (
    <Link {...rest} className={buttonClass({ kind, size, block }, className)}>
      <ButtonLabel icon={icon} endIcon={endIcon}>
        {children}
      </ButtonLabel>
    </Link>
  );
}
