//! The words of the pages, language beside language.

/// A struct of words, and its value in each language.
macro_rules! words {
    ($(#[$doc:meta])* $text:ident { $($name:ident: $en:literal, $fr:literal;)* }) => {
        $(#[$doc])*
        pub(crate) struct $text {
            $(pub(crate) $name: &'static str,)*
        }

        impl $text {
            /// The words of `locale`.
            pub(crate) const fn of(locale: btp_accounts::Locale) -> &'static Self {
                match locale {
                    btp_accounts::Locale::En => &Self { $($name: $en,)* },
                    btp_accounts::Locale::Fr => &Self { $($name: $fr,)* },
                }
            }
        }
    };
}

words! {
    /// The words that several pages need, and those of pages with few.
    Text {
    product: "Bike Trip Planner", "Bike Trip Planner";
    skip: "Skip to content", "Aller au contenu";
    signed_in_as: "Signed in as", "Connecté en tant que";
    sign_out: "Sign out", "Se déconnecter";
    sign_in: "Sign in", "Se connecter";
    trips: "My trips", "Mes voyages";
    home: "Home", "Accueil";
    footer: "Trips planned by your agent, kept on this server.", "Des voyages préparés par votre agent, gardés sur ce serveur.";

    login_intro: "Enter your e-mail address. A link that signs you in comes by mail; there is no password.",
        "Saisissez votre adresse e-mail. Un lien de connexion vous est envoyé ; il n’y a pas de mot de passe.";
    email: "E-mail address", "Adresse e-mail";
    send_link: "Send the link", "Envoyer le lien";
    link_sent: "Look into your mailbox", "Consultez votre messagerie";
    link_sent_said: "If there is an account with this address, a sign-in link is on its way. It works once, within 30 minutes; links sent before still work.",
        "S’il existe un compte avec cette adresse, un lien de connexion est en route. Il fonctionne une fois, pendant 30 minutes ; ceux envoyés auparavant fonctionnent encore.";
    from_agent: "Did an agent send you here? Sign in, then start again from the agent.",
        "Un agent vous a envoyé ici ? Connectez-vous, puis recommencez depuis l’agent.";
    verify_intro: "One more step: this button uses up your link and signs this browser in as", "Encore un geste : ce bouton consomme votre lien et connecte ce navigateur en tant que";
    verify_new: "One more step: this button uses up your link, makes your account and signs this browser in as",
        "Encore un geste : ce bouton consomme votre lien, crée votre compte et connecte ce navigateur en tant que";
    login_open: "If you have no account yet, the link makes one.", "Si vous n’avez pas encore de compte, le lien en crée un.";
    link_sent_open: "A link is on its way. It works once, within 30 minutes; links sent before still work.",
        "Un lien est en route. Il fonctionne une fois, pendant 30 minutes ; ceux envoyés auparavant fonctionnent encore.";
    dead_link: "This link does not work any more", "Ce lien ne fonctionne plus";
    dead_link_said: "It was used already or is older than 30 minutes. Ask for a new one.",
        "Il a déjà servi ou date de plus de 30 minutes. Demandez-en un autre.";
    account: "My account", "Mon compte";
    too_many: "Too many requests", "Trop de demandes";
    too_many_said: "Links that were sent already still work. Otherwise try again in a while.",
        "Les liens déjà envoyés fonctionnent encore. Sinon, réessayez dans un moment.";

    welcome: "Plan bike trips with your agent", "Préparez vos voyages à vélo avec votre agent";
    connect: "Connect an agent", "Connecter un agent";
    connect_said: "Give your agent this address as a remote MCP server. It sends you back here to authorize it. If it asks for a client id, whoever runs this server has one for it.",
        "Donnez à votre agent cette adresse comme serveur MCP distant. Il vous renverra ici pour l’autoriser. S’il demande un identifiant de client, la personne qui gère ce serveur en a un pour lui.";
    connect_again: "If you came here from an agent to sign in, start again from the agent now.",
        "Si vous êtes venu d’un agent pour vous connecter, recommencez maintenant depuis l’agent.";

    no_trips: "No trip yet. Ask your agent to create one from a route address, or send a file below.",
        "Aucun voyage pour l’instant. Demandez à votre agent d’en créer un à partir de l’adresse d’un itinéraire, ou envoyez un fichier ci-dessous.";
    upload: "Plan a trip from a file", "Préparer un voyage à partir d’un fichier";
    upload_file: "GPX file, at most 30 MB", "Fichier GPX, 30 Mo au plus";
    upload_title: "Name of the trip (the file’s when empty)", "Nom du voyage (celui du fichier si vide)";
    upload_start: "First day (may stay empty)", "Premier jour (facultatif)";
    upload_cap: "At most so many kilometres a day, climbing included", "Au plus tant de kilomètres par jour, montées comprises";
    upload_send: "Plan the trip", "Préparer le voyage";
    upload_failed: "The file could not be used", "Le fichier n’a pas pu être utilisé";
    untitled: "Untitled trip", "Voyage sans titre";
    newer: "Newer trips", "Voyages plus récents";
    older: "Older trips", "Voyages plus anciens";
    pages: "Pages", "Pages";
    day: "day", "jour";
    days: "days", "jours";
    day_by_day: "Day by day", "Jour par jour";
    column_day: "Day", "Jour";
    column_way: "Way", "Trajet";
    column_distance: "Distance", "Distance";
    column_ascent: "Climb", "Montée";
    column_descent: "Descent", "Descente";
    rest_day: "Rest day", "Jour de repos";
    unknown: "unknown", "inconnu";
    being_computed: "The days are still being computed.", "Les jours sont en cours de calcul.";
    reload: "Load the page again", "Recharger la page";
    warnings: "Worth knowing", "À savoir";
    status_draft: "Draft", "Brouillon";
    status_analyzing: "Being computed", "En cours de calcul";
    status_analyzed: "Ready", "Prêt";
    status_failed: "Failed", "Échec";

    map: "Map of the route", "Carte du tracé";
    north_is_up: "North is up.", "Le nord est en haut.";
    start: "Start", "Départ";
    end: "End", "Arrivée";
    profile: "Elevation profile", "Profil d’altitude";
    lowest: "Lowest point", "Point le plus bas\u{a0}:";
    highest: "highest point", "point le plus haut\u{a0}:";
    whole_trip: "Whole trip", "Tout le voyage";
    column_files: "Files", "Fichiers";
    route_from: "Route from", "Itinéraire de";
    shared_at: "Shared with everyone who has this link:", "Partagé avec toute personne qui a ce lien\u{a0}:";
    not_shared: "This trip is not shared. Ask your agent to share it: the link lets others see it, and has its files for bike computers.",
        "Ce voyage n’est pas partagé. Demandez à votre agent de le partager\u{a0}: le lien le montre à d’autres et donne les fichiers pour compteurs GPS.";
    no_route: "The route of this trip could not be read.", "L’itinéraire de ce voyage n’a pas pu être lu.";
    no_link: "This link leads nowhere", "Ce lien ne mène nulle part";
    no_link_said: "It does not exist, was revoked, or its trip was deleted.", "Il n’existe pas, a été révoqué, ou son voyage a été supprimé.";
    no_file: "There is no such file", "Ce fichier n’existe pas";
    not_computed: "The days of this trip are not computed, so there is nothing to take along yet.",
        "Les jours de ce voyage ne sont pas calculés\u{a0}: il n’y a encore rien à emporter.";
    no_such_day: "This trip has no such day.", "Ce voyage n’a pas ce jour.";
    nothing_to_ride: "This is a rest day: there is nothing to ride.", "C’est un jour de repos\u{a0}: il n’y a rien à rouler.";

    consent: "Authorize an application?", "Autoriser une application ?";
    consent_asks: "asks to act for you. It calls itself", "demande à agir pour vous, sous le nom de";
    consent_wants: "The application would be able to:", "L’application pourrait :";
    consent_account: "Your account", "Votre compte";
    consent_id: "Its identifier", "Son identifiant";
    consent_host: "The answer is sent to", "La réponse est envoyée à";
    consent_loopback: "This application answers on your own computer, where any program may use its name. Authorize it only if you have just started this from a program you trust.",
        "Cette application répond sur votre propre ordinateur, où n’importe quel programme peut utiliser son nom. N’autorisez que si vous venez de lancer cette demande depuis un programme de confiance.";
    consent_name_is_a_claim: "The name is the application’s own claim.", "Le nom est celui que l’application se donne.";
    authorize: "Authorize", "Autoriser";
    refuse: "Refuse", "Refuser";

    nothing_to_answer: "Nothing to answer", "Rien à décider";
    start_again: "This request was answered already, is older than ten minutes, or does not exist. Start again from the agent.",
        "Cette demande a déjà reçu une réponse, date de plus de dix minutes ou n’existe pas. Recommencez depuis l’agent.";
    not_authorized: "The application cannot be authorized", "L’application ne peut pas être autorisée";
    authorize_too_long: "Its request is too long.", "Sa demande est trop longue.";
    authorize_client_id: "Its request must say once which application it is.", "Sa demande doit dire une fois de quelle application il s’agit.";
    authorize_unknown_client: "It is not known here, and what it publishes about itself, if anything, does not meet the rules of this server. Ask whoever runs this server to add it.",
        "Elle n’est pas connue ici, et ce qu’elle publie sur elle-même, le cas échéant, ne respecte pas les règles de ce serveur. Demandez à qui gère ce serveur de l’ajouter.";
    authorize_redirect_uri: "Its request wants the answer sent to an address that it has not registered.",
        "Sa demande veut une réponse à une adresse qu’elle n’a pas enregistrée.";
    authorize_resource: "It asks for something this server does not have. It must ask for", "Elle demande une ressource que ce serveur n’a pas. Elle doit demander";
    authorize_scope: "Its request names no permission that is known here.", "Sa demande ne nomme aucune autorisation connue ici.";
    authorize_email: "The e-mail address of your account is longer than 128 characters and cannot be granted to an application.",
        "L’adresse e-mail de votre compte dépasse 128 caractères et ne peut pas être accordée à une application.";
    authorize_limited: "There were too many requests. Try again in a few minutes.", "Il y a eu trop de demandes. Réessayez dans quelques minutes.";

    bad_form: "The form could not be used", "Le formulaire n’a pas pu être utilisé";
    foreign_form: "It does not belong to this session. Load its page again.", "Il n’appartient pas à cette session. Rechargez sa page.";
    incomplete_form: "It is not complete. Load its page again.", "Il est incomplet. Rechargez sa page.";
    late: "The request did not arrive in time, or took too long. Try again.", "La demande n’est pas arrivée à temps, ou a pris trop longtemps. Réessayez.";
    unread_form: "It is too large, or did not arrive whole.", "Il est trop grand ou n’est pas arrivé en entier.";
    not_found: "Nothing here", "Rien ici";
    not_found_said: "There is nothing at this address.", "Il n’y a rien à cette adresse.";
    busy: "The server is busy. Try again in a few seconds.", "Le serveur est occupé. Réessayez dans quelques secondes.";
    failed: "Something went wrong", "Une erreur est survenue";
    failed_said: "The server could not do this. Try again later.", "Le serveur n’a pas pu le faire. Réessayez plus tard.";
    }
}
