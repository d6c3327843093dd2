import useMediaQuery from '@mui/material/useMediaQuery';

/** Returns whether the window is too narrow for a table. */
export const useIsPhone = (): boolean => useMediaQuery('(max-width: 767px)', { noSsr: true });
