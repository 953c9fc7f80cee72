-- The database role of the service, which can neither change nor delete the audit log. Run it as the
-- role that owns the tables: see roles.sh. Safe to run again. With APP_PASSWORD in the environment it
-- also creates the role, or changes its password, which the owner must be allowed to do.
\set ON_ERROR_STOP on
\getenv password APP_PASSWORD
BEGIN;
SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'app') AS missing \gset
\if :missing
    \if :{?password}
        CREATE ROLE :"app" LOGIN PASSWORD :'password';
    \endif
\elif :{?password}
    ALTER ROLE :"app" PASSWORD :'password';
\endif
GRANT USAGE ON SCHEMA public TO :"app";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"app";
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO :"app";
-- For the tables of later migrations.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"app";
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO :"app";
REVOKE UPDATE, DELETE, TRUNCATE ON accounts_auditentry FROM :"app";
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON django_migrations FROM :"app";
COMMIT;
