-- The team store of mind-skills, for PostgreSQL 15 or later. Version 2.
--
-- Run it in a database of its own, as a superuser:
--     mind-skills team server-sql | psql --single-transaction --set ON_ERROR_STOP=1 DATABASE
-- (Or as a role that may create roles, and create schemas in that database; it warns of what only a superuser can take from logins.)
-- Running it again changes nothing and locks no table, so apply a newer version in the same way. To restore a backup into another
-- server: the roles, an empty database, the backup, this script (a backup of a database has neither roles nor what this script
-- takes from all logins), then SELECT mind_skills.renew(). docs/team.md has the commands.
--
-- A device appends events and never changes them. An event is what an author states about a subject; the author is a person or, for
-- votes and sightings, a person's session. An author's newest event on a subject counts; the value 0 withdraws it. Subjects, projects and sessions
-- are keyed hashes; the key never reaches this server. Members see only their own events, and only sums that reach the quorum.
-- They insert events themselves, checked by the policies, and read and delete them only by functions: whoever may read a table
-- learns from EXPLAIN how many rows were filtered, and whoever may delete from it may lock it.

-- An upgrade fails rather than waits for a transaction that is open: all who came later would wait for the upgrade.
SET lock_timeout = '3s';
SET client_min_messages = warning;  -- not that each part exists already

DO $roles$
DECLARE wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['mind_skills_owner', 'mind_skills_member', 'mind_skills_board', 'mind_skills_steward'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
        END IF;
    END LOOP;
    IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        PERFORM set_config('temp_file_limit', '-1', true);                  -- see the end of this script
    END IF;
    EXECUTE format('GRANT CREATE ON DATABASE %I TO mind_skills_owner', current_database());
    -- Since version 16, the creator of a role may not SET ROLE to it without this grant.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        EXECUTE format('GRANT mind_skills_owner TO %I', current_user);
    END IF;
END
$roles$;

SET ROLE mind_skills_owner;
CREATE SCHEMA IF NOT EXISTS mind_skills;

CREATE TABLE IF NOT EXISTS mind_skills.team (
    id text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
    quorum integer NOT NULL DEFAULT 3 CHECK (quorum >= 3),
    daily_cap integer NOT NULL DEFAULT 20000 CHECK (daily_cap > 0),     -- events a person may add in a day (UTC)
    since bigint NOT NULL DEFAULT 0,                                    -- older events (UTC milliseconds) are not accepted: see retain
    epoch uuid NOT NULL DEFAULT gen_random_uuid()                       -- renewed when people or grants change: see mind_skills.pull
);
CREATE TABLE IF NOT EXISTS mind_skills.person (
    team text NOT NULL REFERENCES mind_skills.team ON DELETE CASCADE,
    login name NOT NULL,
    falls bigint NOT NULL DEFAULT 0,                                    -- how often events of this person were withdrawn or deleted
    PRIMARY KEY (team, login)
);
CREATE TABLE IF NOT EXISTS mind_skills.device (
    id uuid PRIMARY KEY,
    team text NOT NULL,
    login name NOT NULL,
    revoked_at timestamptz,
    last bigint NOT NULL DEFAULT 0,                                     -- the highest number of its events, deleted ones included
    FOREIGN KEY (team, login) REFERENCES mind_skills.person ON DELETE CASCADE
);
-- What a person had deleted. Events up to that time are not accepted again, whichever device sends them.
CREATE TABLE IF NOT EXISTS mind_skills.forgotten (
    team text NOT NULL,
    login name NOT NULL,
    project bytea NOT NULL CHECK (octet_length(project) IN (0, 16)),    -- empty: everything
    at bigint NOT NULL,                                                 -- UTC milliseconds
    PRIMARY KEY (team, login, project),
    FOREIGN KEY (team, login) REFERENCES mind_skills.person ON DELETE CASCADE
);
-- A project without a row is open to the whole team; one with rows, only to the people in them.
CREATE TABLE IF NOT EXISTS mind_skills.grantee (
    team text NOT NULL,
    project bytea NOT NULL CHECK (octet_length(project) = 16),
    login name NOT NULL,
    PRIMARY KEY (team, project, login),
    FOREIGN KEY (team, login) REFERENCES mind_skills.person ON DELETE CASCADE
);
CREATE TABLE IF NOT EXISTS mind_skills.daily (
    team text NOT NULL,
    login name NOT NULL,
    day date NOT NULL,
    events integer NOT NULL,
    PRIMARY KEY (team, login, day),
    FOREIGN KEY (team, login) REFERENCES mind_skills.person ON DELETE CASCADE
);

-- A body consists of the typed words from which a family's key was computed: without slashes, so no paths or scoped packages.
CREATE OR REPLACE FUNCTION mind_skills.is_typed(body jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT jsonb_typeof(body) = 'object' AND octet_length(body::text) <= 1000
        AND body ?& ARRAY['kind', 'error', 'package', 'program', 'remedy']
        AND body - ARRAY['kind', 'error', 'package', 'program', 'remedy'] = '{}'::jsonb
        AND body ->> 'kind' IN ('learning')
        AND NOT EXISTS (
            SELECT FROM jsonb_each(body) AS part (name, value)
            WHERE jsonb_typeof(value) <> 'string' OR NOT coalesce(value #>> '{}' ~ CASE name
                WHEN 'package' THEN '^([0-9a-f]{32})?$'
                ELSE '^[A-Za-z0-9_.:''[\]-]{0,60}( [A-Za-z0-9_.:''[\]-]{1,60}){0,7}$' END, false))
$$;

CREATE TABLE IF NOT EXISTS mind_skills.event (
    team text NOT NULL,
    device uuid NOT NULL REFERENCES mind_skills.device ON DELETE CASCADE,
    seq bigint NOT NULL CHECK (seq > 0),
    login name NOT NULL DEFAULT session_user,
    kind text NOT NULL CHECK (kind IN ('vote', 'decided', 'seen', 'body')),
    project bytea NOT NULL CHECK (octet_length(project) IN (0, 16)),    -- empty: a family, in all projects
    subject bytea NOT NULL CHECK (octet_length(subject) = 16),
    source bytea NOT NULL CHECK (octet_length(source) IN (0, 16)),
    at bigint NOT NULL CHECK (at >= 0),                                 -- UTC milliseconds
    value smallint NOT NULL CHECK (value BETWEEN -1 AND 1),
    body jsonb CHECK (body IS NULL OR mind_skills.is_typed(body)),
    digest bytea NOT NULL CHECK (octet_length(digest) = 16),
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (team, device, seq),
    CHECK ((kind = 'body') = (body IS NOT NULL)),
    CHECK ((kind IN ('vote', 'seen')) = (octet_length(source) = 16))    -- otherwise the author is the person
);
-- What version 1 did not have, and indexes; all of these lock a table, even if there is nothing to do.
DO $once$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'mind_skills.device'::regclass AND attname = 'last') THEN
        ALTER TABLE mind_skills.device ADD COLUMN last bigint NOT NULL DEFAULT 0;
        UPDATE mind_skills.device SET last = coalesce((SELECT max(seq) FROM mind_skills.event WHERE device = id), 0);
        ALTER TABLE mind_skills.team ADD COLUMN since bigint NOT NULL DEFAULT 0;
        DROP FUNCTION mind_skills.forget(text);
    END IF;
    IF to_regclass('mind_skills.device_of') IS NULL THEN
        CREATE INDEX device_of ON mind_skills.device (team, login);
    END IF;
    IF to_regclass('mind_skills.event_by_voice') IS NULL THEN
        CREATE INDEX event_by_voice ON mind_skills.event (team, project, kind, subject, login, source, at, device, seq);
    END IF;
    IF to_regclass('mind_skills.event_by_transaction') IS NULL THEN
        CREATE INDEX event_by_transaction ON mind_skills.event (team, xid);
    END IF;
END
$once$;

-- All checks use session_user: SET ROLE does not change it, and a member cannot set it.
CREATE OR REPLACE FUNCTION mind_skills.may_see(wanted_team text, wanted_project bytea) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM mind_skills.person WHERE team = wanted_team AND login = session_user)
        AND (NOT EXISTS (SELECT FROM mind_skills.grantee WHERE team = wanted_team AND project = wanted_project)
            OR EXISTS (SELECT FROM mind_skills.grantee
                WHERE team = wanted_team AND project = wanted_project AND login = session_user))
$$;
CREATE OR REPLACE FUNCTION mind_skills.may_add(wanted_team text, wanted_device uuid, wanted_project bytea) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT mind_skills.may_see(wanted_team, wanted_project) AND EXISTS (
        SELECT FROM mind_skills.device
        WHERE id = wanted_device AND team = wanted_team AND login = session_user AND revoked_at IS NULL)
$$;

-- Members may only insert; the other policies are for roles that are granted more.
DO $once$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'mind_skills.event'::regclass) THEN
        ALTER TABLE mind_skills.event ENABLE ROW LEVEL SECURITY;
        CREATE POLICY own_rows ON mind_skills.event FOR SELECT USING (login = session_user);
        CREATE POLICY own_removal ON mind_skills.event FOR DELETE USING (login = session_user);
        CREATE POLICY own_words ON mind_skills.event FOR INSERT
            WITH CHECK (login = session_user AND mind_skills.may_add(team, device, project));
    END IF;
END
$once$;

CREATE OR REPLACE FUNCTION mind_skills.own_events(wanted_team text) RETURNS SETOF mind_skills.event
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT * FROM mind_skills.event WHERE team = wanted_team AND login = session_user
$$;
-- Deletes the events of the login, of any device, about one project or, if it is empty, all; returns their number. Of a project's families,
-- those events are deleted that came with it: sightings by its sessions, and what was said of families that no other session has seen.
CREATE OR REPLACE FUNCTION mind_skills.forget(wanted_team text, wanted_project bytea DEFAULT '') RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    removed bigint;
    more bigint;
    sessions bytea[];
    families bytea[];
BEGIN
    -- Waits for what this person's devices are adding; what they add later is checked by check_added.
    UPDATE mind_skills.device SET last = last WHERE team = wanted_team AND login = session_user;
    IF NOT EXISTS (SELECT FROM mind_skills.person WHERE team = wanted_team AND login = session_user) THEN
        RETURN 0;
    END IF;
    IF (SELECT count(*) FROM mind_skills.forgotten WHERE team = wanted_team AND login = session_user) >= 1000 THEN
        RAISE EXCEPTION 'too many forgotten projects of one person' USING ERRCODE = 'MS004';
    END IF;
    INSERT INTO mind_skills.forgotten (team, login, project, at)
        VALUES (wanted_team, session_user, wanted_project, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
        ON CONFLICT (team, login, project) DO UPDATE SET at = excluded.at;
    IF wanted_project <> '' THEN
        SELECT array_agg(DISTINCT source) INTO sessions FROM mind_skills.event
            WHERE team = wanted_team AND login = session_user AND project = wanted_project AND source <> '';
        SELECT array_agg(DISTINCT subject) INTO families FROM mind_skills.event
            WHERE team = wanted_team AND login = session_user AND project = '' AND source = ANY (sessions);
    END IF;
    DELETE FROM mind_skills.event WHERE team = wanted_team AND login = session_user
        AND (wanted_project IN ('', project) OR project = '' AND source = ANY (sessions));
    GET DIAGNOSTICS removed = ROW_COUNT;
    DELETE FROM mind_skills.event AS said WHERE team = wanted_team AND login = session_user AND project = '' AND subject = ANY (families)
        AND NOT EXISTS (SELECT FROM mind_skills.event AS seen WHERE seen.team = wanted_team AND seen.login = session_user
            AND seen.project = '' AND seen.subject = said.subject AND seen.kind = 'seen');
    GET DIAGNOSTICS more = ROW_COUNT;
    RETURN removed + more;
END
$$;

-- Whether an event of this login was forgotten, or is older than the team retains.
CREATE OR REPLACE FUNCTION mind_skills.is_past(wanted_team text, wanted_project bytea, wanted_at bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM mind_skills.team WHERE id = wanted_team AND since > greatest(wanted_at, 0)) OR EXISTS (
        SELECT FROM mind_skills.forgotten WHERE team = wanted_team AND login = session_user
            AND project IN ('', wanted_project) AND at >= wanted_at)
$$;
CREATE OR REPLACE FUNCTION mind_skills.check_added() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE revoked boolean;
BEGIN
    IF EXISTS (SELECT FROM added WHERE at > extract(epoch FROM clock_timestamp()) * 1000 + 300000) THEN
        RAISE EXCEPTION 'an event is more than five minutes ahead of this server' USING ERRCODE = 'MS001';
    END IF;
    -- Revoking a device waits for this lock, and so does forgetting; a transaction with an older snapshot cannot get it afterwards.
    WITH touched AS (
        UPDATE mind_skills.device SET last = greatest(last, newest.seq)
        FROM (SELECT device, max(seq) AS seq FROM added WHERE login = session_user GROUP BY device) AS newest
        WHERE id = newest.device RETURNING revoked_at
    ) SELECT bool_or(revoked_at IS NOT NULL) INTO revoked FROM touched;
    IF revoked THEN
        RAISE EXCEPTION 'this device was revoked' USING ERRCODE = 'MS005';
    END IF;
    IF EXISTS (SELECT FROM added WHERE login = session_user AND mind_skills.is_past(team, project, at)) THEN
        RAISE EXCEPTION 'an event is older than what was forgotten, or than this team retains' USING ERRCODE = 'MS006';
    END IF;
    INSERT INTO mind_skills.daily AS counted (team, login, day, events)
        SELECT team, login, (now() AT TIME ZONE 'UTC')::date, count(*) FROM added GROUP BY team, login
        ON CONFLICT (team, login, day) DO UPDATE SET events = counted.events + excluded.events;
    IF EXISTS (SELECT FROM mind_skills.daily AS counted JOIN mind_skills.team ON team.id = counted.team
            WHERE counted.day = (now() AT TIME ZONE 'UTC')::date AND counted.events > team.daily_cap
                AND (counted.team, counted.login) IN (SELECT team, login FROM added)) THEN
        RAISE EXCEPTION 'too many events of one person in a day' USING ERRCODE = 'MS002';
    END IF;
    UPDATE mind_skills.person SET falls = falls + 1
        WHERE (team, login) IN (SELECT team, login FROM added WHERE value = 0);
    RETURN NULL;
END
$$;
-- Counted per person: each withdrawal would lock a counter of the team, for everybody, until its transaction ends.
CREATE OR REPLACE FUNCTION mind_skills.count_falls() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE mind_skills.person SET falls = falls + 1 WHERE (team, login) IN (SELECT team, login FROM removed);
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION mind_skills.renew_epochs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE mind_skills.team SET epoch = gen_random_uuid() WHERE id IN (SELECT team FROM changed);
    RETURN NULL;
END
$$;
-- A quorum counts logins: one that does not exist is a misspelt one.
CREATE OR REPLACE FUNCTION mind_skills.check_people() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE missing text;
BEGIN
    SELECT string_agg(login::text, ', ' ORDER BY login) INTO missing FROM changed
        WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login AND rolcanlogin);
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION 'the server has no such login: %', missing USING ERRCODE = 'MS007';
    END IF;
    RETURN NULL;
END
$$;
-- When a project is closed to somebody, or opened, their clients drop its sums, or receive all of them.
DO $once$
DECLARE wanted text[];
BEGIN
    FOREACH wanted SLICE 1 IN ARRAY ARRAY[
        ['check_added', 'INSERT', 'event', 'NEW TABLE AS added', 'check_added'],
        ['count_falls', 'DELETE', 'event', 'OLD TABLE AS removed', 'count_falls'],
        ['check_people', 'INSERT', 'person', 'NEW TABLE AS changed', 'check_people'],
        ['renew_epochs', 'DELETE', 'person', 'OLD TABLE AS changed', 'renew_epochs'],
        ['renew_closed', 'INSERT', 'grantee', 'NEW TABLE AS changed', 'renew_epochs'],
        ['renew_opened', 'DELETE', 'grantee', 'OLD TABLE AS changed', 'renew_epochs'],
        ['renew_changed', 'UPDATE', 'grantee', 'NEW TABLE AS changed', 'renew_epochs']] LOOP
        IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = ('mind_skills.' || wanted[3])::regclass AND tgname = wanted[1]) THEN
            EXECUTE format('CREATE TRIGGER %I AFTER %s ON mind_skills.%I REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION mind_skills.%I()',
                wanted[1], wanted[2], wanted[3], wanted[4], wanted[5]);
        END IF;
    END LOOP;
END
$once$;

-- Returns the sums that reach the quorum: of one subject or, if it is NULL, of all. The newest event of each author counts, and the
-- events of one person's sessions on a subject weigh at most three. Each call is planned anew: one subject and all subjects need
-- different plans.
CREATE OR REPLACE FUNCTION mind_skills.total(wanted_team text, wanted_project bytea, wanted_kind text, wanted_subject bytea)
RETURNS TABLE (project bytea, kind text, subject bytea, people integer, up double precision, down double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT counted.* FROM (
        SELECT voice.project, voice.kind, voice.subject, count(*)::integer,
            sum(voice.up * least(1, 3.0 / (voice.up + voice.down)))::double precision,
            sum(voice.down * least(1, 3.0 / (voice.up + voice.down)))::double precision
        FROM (
            SELECT newest.project, newest.kind, newest.subject, newest.login,
                count(*) FILTER (WHERE newest.value > 0) AS up, count(*) FILTER (WHERE newest.value < 0) AS down
            FROM (
                SELECT DISTINCT ON (project, kind, subject, login, source) project, kind, subject, login, source, value
                FROM mind_skills.event
                WHERE team = wanted_team AND kind <> 'body' AND (
                    wanted_subject IS NULL OR project = wanted_project AND kind = wanted_kind AND subject = wanted_subject)
                ORDER BY project, kind, subject, login, source, at DESC, device DESC, seq DESC
            ) AS newest
            WHERE newest.value <> 0 GROUP BY newest.project, newest.kind, newest.subject, newest.login
        ) AS voice
        GROUP BY voice.project, voice.kind, voice.subject
        HAVING count(*) >= (SELECT quorum FROM mind_skills.team WHERE id = wanted_team)
    ) AS counted
    WHERE mind_skills.may_see(wanted_team, counted.project);
END
$$;

-- What members and boards read: the sums of their own teams, in the projects that are open to them. Nobody may ask for the total
-- of one subject: the number of pages read would reveal how many events there are, even below the quorum.
CREATE OR REPLACE FUNCTION mind_skills.own_sums()
RETURNS TABLE (team text, project bytea, kind text, subject bytea, people integer, up double precision, down double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT mine.team, total.* FROM mind_skills.person AS mine
    CROSS JOIN LATERAL mind_skills.total(mine.team, NULL, NULL, NULL) AS total
    WHERE mine.login = session_user
$$;
DO $once$
BEGIN
    IF to_regclass('mind_skills.sums') IS NULL THEN
        CREATE VIEW mind_skills.sums WITH (security_barrier) AS SELECT * FROM mind_skills.own_sums();
    END IF;
END
$once$;

-- A sync begins with this. Registers the device; returns the server's clock, the quorum, the number of the device's last event, and up to
-- which time the events of this person were forgotten: of each project and, under the empty one, of all.
CREATE OR REPLACE FUNCTION mind_skills.hello(wanted_team text, wanted_device uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE known mind_skills.device;
BEGIN
    IF NOT EXISTS (SELECT FROM mind_skills.person WHERE team = wanted_team AND login = session_user) THEN
        RAISE EXCEPTION 'this login is not in that team' USING ERRCODE = 'MS003';
    END IF;
    SELECT * INTO known FROM mind_skills.device WHERE id = wanted_device;
    IF known.id IS NULL THEN
        -- Locks the row, so that only one connection of this person counts devices at a time.
        UPDATE mind_skills.person SET login = login WHERE team = wanted_team AND login = session_user;
        IF (SELECT count(*) FROM mind_skills.device WHERE team = wanted_team AND login = session_user) >= 50 THEN
            RAISE EXCEPTION 'too many devices of one person' USING ERRCODE = 'MS004';
        END IF;
        INSERT INTO mind_skills.device (id, team, login) VALUES (wanted_device, wanted_team, session_user)
            ON CONFLICT DO NOTHING;
    ELSIF (known.team, known.login) IS DISTINCT FROM (wanted_team, session_user) OR known.revoked_at IS NOT NULL THEN
        RAISE EXCEPTION 'this device was revoked, or belongs to somebody else' USING ERRCODE = 'MS005';
    END IF;
    RETURN (SELECT jsonb_build_object(
        'version', 2,
        'clock', (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        'quorum', quorum,
        'last', (SELECT last FROM mind_skills.device WHERE id = wanted_device),
        'forgotten', (SELECT coalesce(jsonb_object_agg(project, at), '{}') FROM (
            SELECT encode(project, 'hex') AS project, max(at) AS at FROM (
                SELECT project, at FROM mind_skills.forgotten WHERE team = wanted_team AND login = session_user
                UNION ALL SELECT '', since - 1 WHERE since > 0
            ) AS known GROUP BY project
        ) AS latest)
    ) FROM mind_skills.team WHERE id = wanted_team);
END
$$;

-- Returns the numbers of the events that this login's device has already sent with different content.
CREATE OR REPLACE FUNCTION mind_skills.find_conflicts(wanted_team text, wanted_device uuid, events jsonb) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT event.seq FROM mind_skills.event JOIN jsonb_array_elements(events) AS e
        ON event.team = wanted_team AND event.device = wanted_device AND event.seq = (e ->> 'seq')::bigint
        WHERE event.login = session_user AND event.digest <> decode(e ->> 'digest', 'hex')
$$;
-- Adds the events that are missing, with the rights of the caller; returns the numbers of those that exist with different content.
-- Passes over what was forgotten, or is older than the team retains: a device may not have heard of it.
CREATE OR REPLACE FUNCTION mind_skills.push(wanted_team text, wanted_device uuid, events jsonb) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO mind_skills.event (team, device, seq, kind, project, subject, source, at, value, body, digest)
        SELECT wanted_team, wanted_device, (e ->> 'seq')::bigint, e ->> 'kind', decode(e ->> 'project', 'hex'),
            decode(e ->> 'subject', 'hex'), decode(e ->> 'source', 'hex'), (e ->> 'at')::bigint, (e ->> 'value')::smallint,
            e -> 'body', decode(e ->> 'digest', 'hex')
        FROM jsonb_array_elements(events) AS e
        WHERE mind_skills.is_past(wanted_team, decode(e ->> 'project', 'hex'), (e ->> 'at')::bigint) IS NOT TRUE
        ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT mind_skills.find_conflicts(wanted_team, wanted_device, events);
END
$$;

-- Returns the sums that may have changed since the cursor, and the next cursor. A cursor is a snapshot, so a transaction that stays
-- open delays only its own events. With another epoch (sums may have decreased), an invalid cursor or one that this server has not
-- reached, returns everything ("whole"): the client replaces what it has. Returns each person's newest body of a subject. Events of a restored
-- backup have the transaction numbers of the server that wrote them: one that this server has not reached is in no snapshot.
CREATE OR REPLACE FUNCTION mind_skills.pull(wanted_team text, known_epoch text, since text) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    current text;
    upto pg_snapshot := pg_current_snapshot();
    after pg_snapshot;
    whole boolean;
    answer jsonb;
BEGIN
    BEGIN
        after := since::pg_snapshot;
    EXCEPTION WHEN invalid_text_representation THEN
        after := NULL;
    END;
    SELECT concat_ws('/', epoch, (SELECT sum(falls) FROM mind_skills.person WHERE team = wanted_team),
        (SELECT system_identifier FROM pg_control_system())) INTO current
        FROM mind_skills.team WHERE id = wanted_team;
    IF current IS NULL OR NOT EXISTS (SELECT FROM mind_skills.person WHERE team = wanted_team AND login = session_user) THEN
        RAISE EXCEPTION 'this login is not in that team' USING ERRCODE = 'MS003';
    END IF;
    whole := known_epoch IS DISTINCT FROM current OR after IS NULL OR pg_snapshot_xmax(after) > pg_snapshot_xmax(upto);
    WITH changed AS MATERIALIZED (
        SELECT DISTINCT project, kind, subject FROM mind_skills.event
        WHERE NOT whole AND team = wanted_team
            AND xid >= pg_snapshot_xmin(after) AND xid < pg_snapshot_xmax(upto) AND NOT pg_visible_in_snapshot(xid, after)
    ), open AS MATERIALIZED (
        SELECT * FROM changed WHERE mind_skills.may_see(wanted_team, project)
    ), counted AS MATERIALIZED (
        SELECT total.* FROM mind_skills.total(wanted_team, NULL, NULL, NULL) AS total WHERE whole
        UNION ALL
        SELECT total.* FROM open
        CROSS JOIN LATERAL mind_skills.total(wanted_team, open.project, open.kind, open.subject) AS total
        WHERE open.kind <> 'body'
    ), quorate AS MATERIALIZED (
        SELECT project, subject FROM counted WHERE whole AND kind = 'seen'
        UNION
        SELECT project, subject FROM open
        WHERE kind = 'body' AND EXISTS (SELECT FROM mind_skills.total(wanted_team, open.project, 'seen', open.subject))
    ), newest AS (
        SELECT DISTINCT ON (project, subject, login) subject, body, value FROM quorate
        JOIN mind_skills.event USING (project, subject) WHERE team = wanted_team AND kind = 'body'
        ORDER BY project, subject, login, at DESC, device DESC, seq DESC
    ), described AS (
        SELECT DISTINCT subject, body FROM newest WHERE value > 0
    )
    SELECT jsonb_build_object('epoch', current, 'upto', upto::text, 'whole', whole,
        'sums', coalesce((SELECT jsonb_agg(jsonb_build_array(
            kind, encode(project, 'hex'), encode(subject, 'hex'), people, up, down)) FROM counted), '[]'),
        'bodies', coalesce((SELECT jsonb_agg(jsonb_build_array(encode(subject, 'hex'), body)) FROM described), '[]'))
        INTO answer;
    RETURN answer;
END
$$;

-- For stewards: revoke a stolen device, and delete its events from a time on (UTC milliseconds).
CREATE OR REPLACE FUNCTION mind_skills.strike(wanted_device uuid, since bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE removed bigint;
BEGIN
    UPDATE mind_skills.device SET revoked_at = now() WHERE id = wanted_device;
    DELETE FROM mind_skills.event WHERE device = wanted_device AND at >= since;
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$$;
-- For stewards: delete the events that are older, and never accept them again.
CREATE OR REPLACE FUNCTION mind_skills.retain(wanted_team text, age interval) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE removed bigint;
BEGIN
    IF now() - age > now() - interval '1 day' THEN
        RAISE EXCEPTION 'events have to be retained for a day at least' USING ERRCODE = '22023';
    END IF;
    UPDATE mind_skills.team SET since = greatest(since, (extract(epoch FROM now() - age) * 1000)::bigint) WHERE id = wanted_team;
    DELETE FROM mind_skills.event USING mind_skills.team WHERE team.id = event.team AND team.id = wanted_team AND at < since;
    GET DIAGNOSTICS removed = ROW_COUNT;
    DELETE FROM mind_skills.daily WHERE team = wanted_team AND day < (now() AT TIME ZONE 'UTC')::date;
    RETURN removed;
END
$$;
-- For stewards, after a backup was restored: clients send again what it lacks, and read all sums again.
CREATE OR REPLACE FUNCTION mind_skills.renew() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE mind_skills.device SET last = coalesce((SELECT max(seq) FROM mind_skills.event WHERE device = id AND event.team = device.team), 0);
    UPDATE mind_skills.team SET epoch = gen_random_uuid();
$$;

REVOKE ALL ON ALL TABLES IN SCHEMA mind_skills FROM PUBLIC, mind_skills_member, mind_skills_board, mind_skills_steward;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA mind_skills FROM PUBLIC, mind_skills_member, mind_skills_board, mind_skills_steward;
GRANT USAGE ON SCHEMA mind_skills TO mind_skills_member, mind_skills_board, mind_skills_steward;
GRANT SELECT ON mind_skills.sums TO mind_skills_member, mind_skills_board;
GRANT EXECUTE ON FUNCTION mind_skills.own_sums() TO mind_skills_member, mind_skills_board;
GRANT INSERT (team, device, seq, kind, project, subject, source, at, value, body, digest) ON mind_skills.event TO mind_skills_member;
GRANT EXECUTE ON FUNCTION mind_skills.may_add(text, uuid, bytea), mind_skills.is_typed(jsonb), mind_skills.hello(text, uuid),
    mind_skills.is_past(text, bytea, bigint),
    mind_skills.push(text, uuid, jsonb), mind_skills.find_conflicts(text, uuid, jsonb), mind_skills.pull(text, text, text),
    mind_skills.own_events(text), mind_skills.forget(text, bytea) TO mind_skills_member;
GRANT SELECT, INSERT, UPDATE, DELETE ON mind_skills.team, mind_skills.person, mind_skills.grantee TO mind_skills_steward;
GRANT SELECT, DELETE ON mind_skills.device TO mind_skills_steward;
GRANT UPDATE (revoked_at) ON mind_skills.device TO mind_skills_steward;
GRANT EXECUTE ON FUNCTION mind_skills.strike(uuid, bigint), mind_skills.retain(text, interval), mind_skills.renew() TO mind_skills_steward;
RESET ROLE;

-- PostgreSQL allows every login in a database some things that no member needs: storing large objects, which no cap counts and
-- which outlive the person; filling the disk with temporary tables, with the temporary files of a large sort, or with the log of writes;
-- taking advisory locks until the server has room for no others.
DO $limits$
DECLARE
    offered regprocedure;
    is_set boolean := EXISTS (
        SELECT FROM pg_db_role_setting, unnest(setconfig) AS setting
        WHERE setrole = 0 AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND setting LIKE 'temp_file_limit=%');
BEGIN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        RAISE WARNING 'large objects, advisory locks, large temporary files and messages in the log of writes remain open to all logins: '
            'only a superuser can take them away';
        RETURN;
    END IF;
    IF NOT is_set THEN  -- a limit that was chosen for this server stays
        EXECUTE format('ALTER DATABASE %I SET temp_file_limit = ''256MB''', current_database());
    END IF;
    FOR offered IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~
            '^(lo_creat|lo_create|lo_from_bytea|pg_(try_)?advisory_.*|pg_logical_emit_message|pg_export_snapshot)$' LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', offered);
    END LOOP;
END
$limits$;
RESET lock_timeout;
RESET client_min_messages;
