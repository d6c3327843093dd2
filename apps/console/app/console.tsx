import '@fontsource-variable/geist-mono/wght.css';
import CssBaseline from '@mui/material/CssBaseline';
import { createTheme, StyledEngineProvider, ThemeProvider } from '@mui/material/styles';
import { lazy, useMemo } from 'react';
import { CoreAdminContext, CoreAdminUI, CustomRoutes, localStorageStore } from 'react-admin';
import { BrowserRouter, Route } from 'react-router-dom';
import './console.css';
import { chooseLanguage } from '../data/account';
import { authProvider } from '../data/auth-provider';
import { dataProvider } from '../data/data-provider';
import { useConsoleI18n } from '../texts/console-i18n';
import { useTheme } from '../ui/theme-choice';
import { ConsoleLayout } from './layout/console-layout';
import { Notification } from './notification';
import { NotFound } from './layout/not-found';
import { LeaveConsole } from './leave-console';
import { resourceOf, routesOf } from './resource';
import { darkTheme, lightTheme } from './theme';
import { SideSkeleton } from '../parts/side-skeleton';
import { queryClient } from '../data/query-client';
import { PAGES, RESOURCES } from './screens';

const SCREENS = PAGES.map(({ path, load, tabs = [] }) => ({
  path,
  Page: lazy(load),
  tabs: tabs.map((tab) => ({ path: tab.path, Tab: lazy(tab.load) })),
}));
const RESOURCE_SCREENS = RESOURCES.filter(({ path }) => path === undefined).map(resourceOf);
const RESOURCE_ROUTES = RESOURCES.filter(({ path }) => path !== undefined).flatMap(routesOf);

/** Leaves an error to the guard around the console. */
function LeaveToGuard({ error }: { error: Error }): never {
  throw error;
}

const store = localStorageStore();

/**
 * Logged-in side: react-admin with our layout, at the specified addresses. Its core is used directly, because `Admin`
 * contains a layout, a menu and a login page that nobody sees.
 */
export default function Console() {
  const { dark } = useTheme();
  const theme = useMemo(() => createTheme(dark ? darkTheme : lightTheme), [dark]);
  const i18nProvider = useConsoleI18n(chooseLanguage);
  if (i18nProvider === null) return <SideSkeleton />;
  return (
    <BrowserRouter>
      <CoreAdminContext
        authProvider={authProvider}
        dataProvider={dataProvider}
        i18nProvider={i18nProvider}
        queryClient={queryClient}
        store={store}
      >
        {/* Our rules win over those of MUI, whichever of the two a page loads first. */}
        <StyledEngineProvider injectFirst>
          <ThemeProvider theme={theme}>
            <CssBaseline enableColorScheme />
            <CoreAdminUI
              layout={ConsoleLayout}
              loading={SideSkeleton}
              loginPage={false}
              catchAll={LeaveConsole}
              accessDenied={NotFound}
              authenticationError={NotFound}
              error={LeaveToGuard}
              requireAuth
              disableTelemetry
            >
              {RESOURCE_SCREENS}
              <CustomRoutes>
                {RESOURCE_ROUTES}
                {SCREENS.map(({ path, Page, tabs }) => (
                  <Route key={path} path={path} element={<Page />}>
                    {tabs.map(({ path: tab, Tab }) =>
                      tab === '' ? (
                        <Route key={tab} index element={<Tab />} />
                      ) : (
                        <Route key={tab} path={tab} element={<Tab />} />
                      ),
                    )}
                  </Route>
                ))}
              </CustomRoutes>
            </CoreAdminUI>
            <Notification />
          </ThemeProvider>
        </StyledEngineProvider>
      </CoreAdminContext>
    </BrowserRouter>
  );
}
