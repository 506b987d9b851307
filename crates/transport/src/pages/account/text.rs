//! The words of the account pages.

words! {
    /// The words of the account pages.
    AccountText {
        member_since: "Member since", "Membre depuis le";
        applications: "Authorized applications", "Applications autorisées";
        no_applications: "No application may act for you.", "Aucune application ne peut agir pour vous.";
        applications_said: "These applications may act for you, from anywhere, until you revoke them. Signing out does not stop them.",
            "Ces applications peuvent agir pour vous, où que vous soyez, jusqu’à ce que vous les révoquiez. Vous déconnecter ne les arrête pas.";
        host: "Host", "Hôte";
        since: "Authorized on", "Autorisée le";
        last_used: "Last used on", "Dernière utilisation le";
        never_used: "never used", "jamais utilisée";
        revoke: "Revoke", "Révoquer";
        revoked: "Its access has ended.", "Son accès a pris fin.";
        reused: "A secret of this application was used twice, so its access was ended. If you did not restore a backup or copy its files, someone else may have had it:",
            "Un secret de cette application a servi deux fois ; son accès a donc pris fin. Si vous n’avez ni restauré une sauvegarde ni copié ses fichiers, quelqu’un d’autre l’avait peut-être :";

        language: "Language", "Langue";
        language_said: "Of pages, mails and alerts.", "Des pages, des messages et des alertes.";
        language_changed: "The language was changed.", "La langue a été modifiée.";
        save: "Save", "Enregistrer";

        change_email: "E-mail address", "Adresse e-mail";
        change_email_said: "A link is mailed to the new address. Once you open it here, every application has to be authorized again, and every other browser and app is signed out.",
            "Un lien est envoyé à la nouvelle adresse. Quand vous l’ouvrirez ici, chaque application devra être autorisée à nouveau, et tout autre navigateur ou appareil sera déconnecté.";
        new_email: "New e-mail address", "Nouvelle adresse e-mail";
        send: "Send the link", "Envoyer le lien";
        email_mailed: "If nobody has this address yet, a link is on its way to it. Open it in this browser.",
            "Si personne n’a encore cette adresse, un lien y est en route. Ouvrez-le dans ce navigateur.";
        email_confirm: "Change your e-mail address?", "Modifier votre adresse e-mail ?";
        email_confirm_said: "Your account would have the address", "Votre compte aurait l’adresse";
        email_confirm_then: "Every application then has to be authorized again, and every other browser and app is signed out.",
            "Chaque application devra ensuite être autorisée à nouveau, et tout autre navigateur ou appareil sera déconnecté.";
        email_do: "Change the address", "Modifier l’adresse";
        email_changed: "Your e-mail address was changed. Applications have to be authorized again.",
            "Votre adresse e-mail a été modifiée. Les applications doivent être autorisées à nouveau.";
        email_refused: "The address was not changed", "L’adresse n’a pas été modifiée";
        email_bad: "This is no e-mail address.", "Ce n’est pas une adresse e-mail.";
        email_taken: "This address cannot be used.", "Cette adresse ne peut pas être utilisée.";

        data: "Your data", "Vos données";
        data_said: "Everything that is kept about you: account, trips with their days and settings, applications.",
            "Tout ce qui est gardé à votre sujet : compte, voyages avec leurs jours et réglages, applications.";
        export: "Download as JSON", "Télécharger en JSON";

        delete: "Delete the account", "Supprimer le compte";
        delete_said: "With all its trips, at once and for ever.", "Avec tous ses voyages, immédiatement et définitivement.";
        delete_ask: "Delete your account?", "Supprimer votre compte ?";
        delete_ask_said: "Your trips, their public links, every application’s access and every session end at once. Nothing is kept, and nobody can bring it back.",
            "Vos voyages, leurs liens publics, l’accès de chaque application et chaque session disparaissent immédiatement. Rien n’est conservé et personne ne peut rien rétablir.";
        delete_type: "Type the e-mail address of your account", "Saisissez l’adresse e-mail de votre compte";
        delete_mistyped: "This is not the address of your account.", "Ce n’est pas l’adresse de votre compte.";
        delete_do: "Delete everything", "Tout supprimer";
        keep: "Keep it", "Le conserver";
        deleted: "Your account is deleted", "Votre compte est supprimé";
        deleted_said: "Nothing is kept. A mail confirms it.", "Rien n’est conservé. Un message vous le confirme.";
    }
}
