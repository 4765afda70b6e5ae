/// Who is there: Apple accounts, families, players and their phones.
extension LifeBuilder {
    /// One to three people who may be a family, and a friend who is not.
    mutating func gatherPeople(at instant: Int64) {
        let isFamily = random.percent(18)
        let size = isFamily ? random.number(2...3) : 1
        let storefront = random.pick(weighted: [
            (0, 40), (1, 18), (2, 16), (3, 12), (4, 10), (5, 4),
        ])
        for member in 0..<Int(size) {
            addPerson(
                World.Storefront.all[storefront], organiser: member == 0 ? nil : 0, at: instant)
        }
        if random.percent(10) { addAccount(on: 0, at: instant) }
        if random.percent(30) { addDevice() }
        friend = life.accounts.count
        addPerson(World.Storefront.all[storefront], organiser: nil, at: instant)
    }

    private mutating func addPerson(
        _ storefront: World.Storefront, organiser: Int?, at instant: Int64
    ) {
        let index = life.appleAccounts.count
        life.appleAccounts.append(
            World.AppleAccount(
                appTransactionId: identifiers.customer(index), storefront: storefront,
                organiser: organiser))
        addDevice()
        addAccount(on: index, at: instant)
    }

    /// An account of the platform; in the account convention it is a UUID with a registered token.
    private mutating func addAccount(on appleAccount: Int, at instant: Int64) {
        let index = life.accounts.count
        switch life.app.numbering {
        case .uuid, .plain:
            let id = identifiers.account(index)
            life.accounts.append(World.Account(id: id, token: nil, appleAccount: appleAccount))
        case .account:
            let id = random.uuid()
            life.accounts.append(World.Account(id: id, token: id, appleAccount: appleAccount))
            arrive(
                "account.registered", from: "platform", id: "account/\(id)", at: instant,
                time: instant, .registered(account: index))
        }
        if random.percent(20) {
            let consented = after(instant, 1...Span.second)
            life.accounts[index].consentedAt = consented
            arrive(
                "account.consented", from: "platform",
                id: "consent/\(life.accounts[index].id)", at: consented, time: consented,
                .consented(account: index))
        }
    }

    private mutating func addDevice() {
        let index = life.devices.count
        let isFar = strikes(.wrongClock)
        let years = random.number(1...12) * (random.percent(50) ? 1 : -1)
        let error = random.number(-5 * Span.minute...5 * Span.minute)
        life.devices.append(
            World.Device(
                id: random.uuid(upperCase: true), storeKit: random.percent(30) ? 1 : 2,
                clockError: error + (isFar ? years * 365 * Span.day : 0),
                osVersion: random.pick(["17.6.1", "18.3", "18.5", "26.1"])))
        addInstallation(on: index)
    }

    /// The app, installed on a device (again).
    @discardableResult
    mutating func addInstallation(on device: Int) -> Int {
        let isOfTheFuture = strikes(.futureVocabulary)
        life.installations.append(
            World.Installation(
                id: random.uuid(), device: device,
                appVersion: isOfTheFuture ? "9.0.0" : random.pick(["3.7.2", "3.8.0", "3.8.1"]),
                isOfTheFuture: isOfTheFuture))
        return life.installations.count - 1
    }

    /// The newest installation on a phone of the Apple account: phones stand in the order in which
    /// people were added, a second phone of the first person behind them.
    mutating func installation(of account: Int) -> Int {
        let appleAccount = life.accounts[account].appleAccount
        let device = account == friend ? life.devices.count - 1 : appleAccount
        return life.installations.lastIndex { $0.device == device } ?? 0
    }

    /// Another phone of the family than the one of `installation`, if there is one.
    func otherDevice(than installation: Int) -> Int? {
        let device = life.installations[installation].device
        return life.devices.indices.dropLast().first { $0 != device }
    }

    func device(of installation: Int) -> World.Device {
        life.devices[life.installations[installation].device]
    }

    func appleAccount(of account: Int) -> World.AppleAccount {
        life.appleAccounts[life.accounts[account].appleAccount]
    }

    func storefront(of account: Int) -> World.Storefront { appleAccount(of: account).storefront }
}
